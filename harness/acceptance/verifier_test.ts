/** What the claim verifier makes of every note in the project's scenarios: nothing of a healthy part is withheld. */
import assert from "node:assert/strict";
import * as z from "zod";
import { simLane } from "../lanes/sim.ts";
import { runCell } from "../runner/cell.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { cellSpec, type WrittenScenario } from "../testing/cells.ts";

const Verified = z.object({
  worker: z.string(),
  claims: z.array(z.object({ claim: z.string(), verdict: z.enum(["supported", "unsupported", "undetermined"]) })),
});

/** One sentence of one note. */
type Sentence = z.infer<typeof Verified>["claims"][number] & { readonly worker: string };

/**
 * Sentences that are rightly left open, by scenario. A line that no longer comes about has to go; a new one is a note
 * whose observation does not say it, or a gap in the verifier.
 */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  // That something could not be found out is no fact of the world.
  "refund-lookup-broken": ["whether a refund exists could not be established."],
  // The empty list of refunds is seen; that one was denied, only the operator's answer says.
  "approval-mixed-batch/denied-before-the-kill": ["The total of refunds is 0, and the refund was denied."],
};

const nameOf = ({ name, variant }: WrittenScenario): string => variant === null ? name : `${name}/${variant}`;

/** Workers of which the scenario says that something they claim rests on nothing. */
function expectedUnsupported({ expect: { failed, notes = {} } }: WrittenScenario): string[] {
  const unverified = Object.keys(failed).filter((worker) => failed[worker] === "unverified");
  return [...new Set([...unverified, ...Object.keys(notes).filter((worker) => notes[worker] === "unsupported")])]
    .sort();
}

const workersOf = (sentences: readonly Sentence[]) => [...new Set(sentences.map(({ worker }) => worker))].sort();

Deno.test("no claim is withheld but where a scenario says so, and few are left open", async () => {
  await using lane = simLane();
  const [withheld, expected]: [Record<string, string[]>, Record<string, string[]>] = [{}, {}];
  const open: Record<string, string[]> = {};
  let sentences = 0;
  for (const scenario of SCENARIOS) {
    const { events } = await runCell(cellSpec(scenario), lane);
    const found = events.filter(({ type }) => type === "verify").flatMap(({ detail }): Sentence[] => {
      const { worker, claims } = Verified.parse(detail);
      return claims.map((claim) => ({ worker, ...claim }));
    });
    sentences += found.length;
    const name = nameOf(scenario);
    const unsupported = found.filter(({ verdict }) => verdict === "unsupported");
    if (unsupported.length > 0) withheld[name] = workersOf(unsupported);
    const said = expectedUnsupported(scenario);
    if (said.length > 0) expected[name] = said;
    const left = found.filter(({ verdict }) => verdict === "undetermined").map(({ claim }) => claim);
    if (left.length > 0) open[name] = [...new Set(left)];
  }
  assert.deepEqual(withheld, expected);
  assert.deepEqual(open, OPEN);
  assert.ok(sentences > SCENARIOS.length, `${sentences} sentences in ${SCENARIOS.length} scenarios`);
});
