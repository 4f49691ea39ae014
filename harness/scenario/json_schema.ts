/** The JSON Schema of a scenario file, for editors. Generated: `deno run … harness/scenario/json_schema.ts`. */
import * as z from "zod";
import { ScenarioFile } from "./schema.ts";

const SCHEMA_FILE = new URL("../../scenarios/schema.json", import.meta.url);

/** The text of `scenarios/schema.json`: what a person may write, defaults left out. */
export function scenarioJsonSchema(): string {
  const schema = z.toJSONSchema(ScenarioFile, { io: "input", reused: "ref" });
  return `${JSON.stringify({ title: "Brownout scenario", ...schema }, null, 2)}\n`;
}

if (import.meta.main) Deno.writeTextFileSync(SCHEMA_FILE, scenarioJsonSchema());
