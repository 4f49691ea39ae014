import assert from "node:assert/strict";
import * as z from "zod";
import { checkClaim } from "./mod.ts";

const FOLDER = "../shared/data/verification";

/** Balanced accuracy that has to be reached; `undetermined` counts as not flagged. */
const LEAST = { ragtruth_data2txt_dev: 0.83, ragtruth_qa_dev: 0.8 };

const Row = z.object({ evidence: z.array(z.string()), claim: z.string(), label: z.enum(["supported", "unsupported"]) });

function read(file: string): string | undefined {
  try {
    return Deno.readTextFileSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

for (const [name, least] of Object.entries(LEAST)) {
  Deno.test(`checkClaim() reaches a balanced accuracy of ${least} on ${name}`, () => {
    const file = `${FOLDER}/${name}.jsonl`;
    const lines = read(file)?.trim().split("\n");
    // deno-lint-ignore no-console -- a skipped test says so
    if (lines === undefined) return console.log(`skipped: ${file} is not there`);
    const flagged = { supported: [0, 0], unsupported: [0, 0] };
    for (const line of lines) {
      const { claim, evidence, label } = Row.parse(JSON.parse(line));
      const { verdict } = checkClaim(claim, evidence.map((text, i) => ({ id: String(i), text })));
      const [hits = 0, all = 0] = flagged[label];
      flagged[label] = [hits + (verdict === "unsupported" ? 1 : 0), all + 1];
    }
    const share = ([hits = 0, all = 0]: readonly number[]) => hits / all;
    const reached = (share(flagged.unsupported) + 1 - share(flagged.supported)) / 2;
    assert.ok(reached >= least, `${reached.toFixed(3)}`);
  });
}
