/**
 * The `bench` command in a process that may load the frameworks: `harness/subjects/relaunch.ts` starts it when a framework
 * is chosen. Not meant to be started by hand; `deno task bench --subject langgraph` does.
 *
 * @module
 */
import { main } from "../harness/cli/main.ts";
import { processIo } from "../harness/cli/io.ts";

Deno.exit(await main(Deno.args, processIo()));
