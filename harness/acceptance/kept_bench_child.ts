/** `bench` as a process of its own, with a folder of runs of its own: the folder, and then the words of the command line. */
import { processIo } from "../cli/io.ts";
import { main } from "../cli/main.ts";

if (import.meta.main) {
  const [runs = "", ...args] = Deno.args;
  Deno.exit(await main(args, { ...processIo(), runs }));
}
