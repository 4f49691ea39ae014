import assert from "node:assert/strict";
import { SOUND, sound, TestFolder } from "../scenario/test_folder.ts";
import { bench } from "./test_io.ts";

const STORY = SOUND + `variants:
  broken:
    story: Orders fail twice.
    faults: [{ fault: tool_error, at: orders, when: { first: 2 } }]
    script: { billing: [{ call: orders.find_order }, { final: No. }] }
    expect:
      status: failed
      failed: { billing: tool_error }
      answer: { never: [all is well] }
`;

async function explain(selector: string, ...flags: string[]) {
  await using folder = await TestFolder.make({ "scenarios/x.yaml": STORY });
  return await bench(["explain", selector, ...flags], { cwd: folder.path });
}

Deno.test("explain tells request, crew, servers, faults, truths and variants in 80 columns", async () => {
  const { code, out, err } = await explain("scenarios/x.yaml");
  assert.deepEqual([code, err], [0, ""]);
  for (
    const part of [
      "\nThe request\n  What happened?\n",
      /\n {2}billing +.*all of orders; at most 3 steps and 3000\sms\./s,
      /\n {2}policy +.*It is never\s+called\./s,
      /\n {2}orders +Order desk: find_order, refund_status\n/,
      /\n {2}latency at orders\.find_order \(ms 500, jitter 0\), every time:/,
      "A correct orchestrator: Overlap the wait",
      "\n  - The answer is complete.\n  - Nobody fails, and the answer speaks of no failure.\n",
      /\n {2}sound\/broken Orders fail twice\.\n/,
    ]
  ) assert.ok(typeof part === "string" ? out.includes(part) : part.test(out), `${part} not in:\n${out}`);
  assert.ok(out.split("\n").every((line) => line.length <= 80 || line.startsWith("sound  (")));
});

Deno.test("explain tells a variant", async () => {
  await using folder = await TestFolder.make({ "scenarios/x.yaml": STORY });
  const { code, out } = await bench(["explain", "scenarios/x.yaml", "--json"], { cwd: folder.path });
  assert.equal(code, 0);
  assert.deepEqual(Object.keys(JSON.parse(out)), [
    "canaries",
    "crew",
    "expect",
    "faults",
    "name",
    "request",
    "script",
    "secrets",
    "servers",
    "smoke",
    "story",
    "topology",
    "variant",
  ]);
});

Deno.test("explain tells what all-faults stands for, as a whole and one by one", async () => {
  await using folder = await TestFolder.make({ "scenarios/x.yaml": `${SOUND}variants: all-faults\n` });
  const whole = await bench(["explain", "scenarios/x.yaml"], { cwd: folder.path });
  assert.equal(whole.code, 0);
  assert.match(whole.out, /\nsound\/all-faults: the same with one more fault, 1\d\d times\n/);
  assert.match(whole.out, /\n {2}agent:planner +fenced_plan, malformed_plan/);
  assert.match(
    whole.out,
    /\nFaults that have nothing to do in sound\n(.*\n)* {2}split_multibyte +it is in the bytes of a reply/,
  );
});

Deno.test("explain says what is wrong with a scenario, exit 2", async () => {
  await using folder = await TestFolder.make({ "x.yaml": sound("at: orders", "at: ordres") });
  const { code, out, err } = await bench(["explain", "x.yaml"], { cwd: folder.path });
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /x\.yaml:13:27 unknown place "ordres\.find_order"/);
});

Deno.test("explain takes one scenario", async () => {
  await using folder = await TestFolder.make({ "a.yaml": SOUND, "b.yaml": SOUND });
  const { code, err } = await bench(["explain", "."], { cwd: folder.path });
  assert.equal(code, 2);
  assert.equal(err, "brownout: explain takes one scenario, this means 2: sound, sound\n");
});
