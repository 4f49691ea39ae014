/** Gate and golden end to end, each red for the right reason. */
import assert from "node:assert/strict";
import { bench } from "../cli/test_io.ts";
import { answering } from "../testing/subjects.ts";
import { reference } from "../../agents/mod.ts";
import { GateFolder, subjectsOf } from "./testing.ts";

const GOLDEN = "reports/golden/support/broken-policy-server.json";
const SCENARIO = "scenarios/support/broken-policy-server.yaml";

Deno.test("golden writes every scenario and the table, and nothing the second time", async () => {
  await using folder = await GateFolder.make();
  const first = await folder.golden();
  assert.match(first.out, /^broken-policy-server, planner-in-a-fence, planner-names-a-poet: new/);
  assert.match(first.err, /reports\/golden: 4 written, 0 deleted/);
  assert.equal(first.code, 0);
  const bytes = await folder.goldens();
  const second = await folder.golden({ jobs: 8 });
  assert.deepEqual([second.code, second.out], [0, ""]);
  assert.match(second.err, /0 written, 0 deleted/);
  assert.equal(await folder.goldens(), bytes);
  assert.deepEqual([(await folder.gate()).code, (await folder.gate()).out], [0, ""]);
  assert.ok(!bytes.includes(folder.place.base), "no path of the machine");
});

Deno.test("golden under CI writes nothing, shows what would change and why, exit 1", async () => {
  await using folder = await GateFolder.make();
  const fresh = await folder.golden({}, { CI: "true" });
  assert.equal(fresh.code, 1);
  assert.match(fresh.err, /CI is set, so nothing was written/);
  await assert.rejects(folder.goldens(), Deno.errors.NotFound);
  await folder.golden();
  const bytes = await folder.goldens();
  assert.equal((await folder.golden({}, { CI: "true" })).code, 0);
  await folder.edit(SCENARIO, "$129.00 on", "$129.00 twice on");
  const changed = await folder.golden({}, { CI: "1" });
  assert.equal(changed.code, 1);
  assert.match(changed.out, /^broken-policy-server: the answer: “.*” → “.*twice on.*”; first difference at event \d+/);
  assert.equal(await folder.goldens(), bytes);
});

Deno.test("golden deletes what is stale, and leaves other scenarios alone when one is selected", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  await folder.remove("scenarios/support/planner-names-a-poet.yaml");
  const gate = await folder.gate();
  assert.equal(gate.code, 1);
  assert.match(gate.out, /reports\/golden\/support\/planner-names-a-poet\.json: stale: there is no such scenario/);
  assert.match((await folder.golden({ selectors: ["broken-policy-server"] })).err, /0 written, 0 deleted/);
  const whole = await folder.golden();
  assert.match(whole.err, /1 written, 1 deleted/);
  assert.doesNotMatch(await folder.goldens(), /planner-names-a-poet/);
  assert.equal((await folder.gate()).code, 0);
});

Deno.test("gate says what a person would say, with the first event that differs", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  await folder.edit(SCENARIO, "policy-db connection refused", "policy-db is gone");
  const { code, out } = await folder.gate();
  assert.equal(code, 1);
  assert.match(
    out,
    /^broken-policy-server: the answer: “….*policy-db connection refused.*” → “….*policy-db is gone.*”; first difference at event \d+ \(server\.reply run\/s2\/policy\/step1\/call1\)$/m,
  );
});

Deno.test("gate finds a fault that is not reached, and golden does not write it down", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  const bytes = await folder.goldens();
  await folder.edit(
    SCENARIO,
    "fault: tool_error, at: policy.check_policy",
    "fault: tool_error, when: { calls: [9] }, at: policy.check_policy",
  );
  const gate = await folder.gate();
  assert.equal(gate.code, 1);
  assert.match(gate.out, /fail faults\.reached:tool_error@policy\.check_policy: /);
  const golden = await folder.golden();
  assert.equal(golden.code, 1);
  assert.match(golden.err, /1 of \d+ cells are not green; their scenarios keep the goldens they had/);
  assert.equal(await folder.goldens(), bytes);
});

Deno.test("gate finds a golden that was edited by hand, and says what else is wrong with it", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  await folder.edit(GOLDEN, '"makespan": 500', '"makespan": 400');
  const { code, out } = await folder.gate();
  assert.equal(code, 1);
  assert.match(out, /broken-policy-server\.json: edited by hand, or put together by a merge/);
  assert.match(out, /^broken-policy-server: takes 500 ms, not 400$/m);
  await folder.golden();
  await folder.edit(GOLDEN, '"makespan": 500', '"makespan":  500');
  assert.match((await folder.gate()).out, /edited by hand: it holds what was written, but not as it was written/);
  await folder.golden();
  await folder.write(GOLDEN, (await folder.read(GOLDEN)).replaceAll("\n", "\r\n"));
  assert.equal((await folder.gate()).code, 0, "other line ends are the checkout's");
  await folder.edit("reports/golden/README.md", "| pass |", "| fail |");
  const table = await folder.gate();
  assert.equal(table.code, 1);
  assert.match(table.out, /reports\/golden\/README\.md: edited by hand, or left behind/);
});

Deno.test("gate names file and line of what is no golden, exit 2, and golden writes it anew", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  const good = await folder.read(GOLDEN);
  for (
    const [text, message] of [
      [good.replace("{\n", "{\n<<<<<<< ours\n"), /support\/broken-policy-server\.json:2:1 has the marks of a merge/],
      [good.slice(0, 200), /support\/broken-policy-server\.json:\d+:\d+ is not JSON/],
      ["", /support\/broken-policy-server\.json:1:1 is not JSON/],
      [good.replace('"crew"', '"crews"'), /broken-policy-server\.json:\d+:3 unknown key "crews" \(did you mean "crew"/],
      [
        good.replace('"schema": 1', '"schema": 9'),
        /broken-policy-server\.json:\d+:\d+ "schema": expected one of 1; found 9/,
      ],
      [good.replace('"crew": "support"', '"crew": "review"'), /is the golden of review\/broken-policy-server\.json/],
    ] as const
  ) {
    await folder.write(GOLDEN, text);
    const gate = await folder.gate();
    assert.match(gate.out, message);
    assert.equal(gate.code, 2);
  }
  assert.equal((await folder.golden()).code, 0);
  assert.equal(await folder.read(GOLDEN), good);
});

Deno.test("gate is red about unknown keys and names in scenario, thresholds and expected failures, exit 2", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  await folder.edit(SCENARIO, "story:", "stroy:");
  const scenario = await folder.gate();
  assert.equal(scenario.code, 2);
  assert.match(scenario.out, /^scenarios\/support\/broken-policy-server\.yaml:\d+:1 unknown key "stroy"/m);
  await folder.edit(SCENARIO, "stroy:", "story:");

  await folder.write("reports/thresholds.yaml", "thresholds:\n  - { count: cells.fail, mx: 0 }\n");
  const thresholds = await folder.gate();
  assert.equal(thresholds.code, 2);
  assert.match(thresholds.out, /^reports\/thresholds\.yaml:2:26 unknown key "mx" \(did you mean "max"\?\)/m);
  await folder.remove("reports/thresholds.yaml");
  const none = await folder.gate();
  assert.deepEqual([none.code, none.out], [2, "reports/thresholds.yaml:1:1 does not exist\n"]);
  await folder.write("reports/thresholds.yaml", "thresholds:\n  - { count: cells.fail, max: 0 }\n");

  const file = "reports/expected_failures/reference.yaml";
  await folder.write(file, "subject: reference\nexpected:\n  - { scenario: '*', checks: '**', reason: Because. }\n");
  const excuses = await folder.gate();
  assert.equal(excuses.code, 2);
  assert.match(excuses.out, /reference\.yaml:1:10 the reference has no expected failures/);
});

Deno.test("gate holds each subject with a file to its expected failures, and one without to none", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  const liar = answering("liar", (answer) => ({ ...answer, text: answer.text.split("\n").slice(0, 2).join("\n") }));
  const subjects = subjectsOf(reference, liar);
  const alone = await folder.gate({ subjects, subject: "liar" });
  assert.equal(alone.code, 1);
  assert.match(alone.out, /^liar: broken-policy-server: not expected: fail /m);

  const file = "reports/expected_failures/liar.yaml";
  const all = "subject: liar\nexpected:\n  - { scenario: '**', checks: '**', reason: It cuts its answer off. }\n";
  await folder.write(file, all);
  const { code, out } = await folder.gate({ subjects });
  assert.deepEqual([code, out], [0, ""]);

  await folder.write(file, `${all}  - { scenario: broken-policy-server, checks: plan.nodes, reason: Was so once. }\n`);
  const stale = await folder.gate({ subjects });
  assert.equal(stale.code, 1);
  assert.equal(
    stale.out,
    "reports/expected_failures/liar.yaml:4: stale: plan.nodes of broken-policy-server goes well now; take the entry out\n",
  );
});

Deno.test("gate runs a subject in the scenarios of its file, and in no others", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  const liar = answering("liar", (answer) => ({ ...answer, text: answer.text.split("\n").slice(0, 2).join("\n") }));
  const subjects = subjectsOf(reference, liar);
  const entry = "  - { scenario: '**', checks: '**', reason: It cuts its answer off. }\n";
  await folder.write("reports/expected_failures/_few.yaml", "scenarios: [broken-policy-server]\n");
  await folder.write("reports/expected_failures/liar.yaml", `subject: liar\nscenarios: [_few]\nexpected:\n${entry}`);
  const { code, out, err } = await folder.gate({ subjects, subject: "liar" });
  assert.deepEqual([code, out], [0, ""]);
  assert.match(err, /^1 cell: /m);
  await assert.rejects(folder.gate({ subjects, subject: "liar", selectors: ["planner-in-a-fence"] }), {
    name: "NothingSelected",
    message: "nothing is run: reports/expected_failures/liar.yaml holds liar to other scenarios than those that are " +
      "selected; select some of broken-policy-server, or none to run all of these",
  });
  const both = await folder.gate({ subjects, selectors: ["planner-in-a-fence"] });
  assert.equal(both.code, 0, "the reference ran");
  assert.match(both.err, /^[1-9]\d* cells?: all as /m);
});

Deno.test("gate of a subject outside of its sample is exit 5 and says nothing of green", async () => {
  const { code, out, err } = await bench(["gate", "--subject", "liar", "healthy-desk"]);
  assert.deepEqual([code, out], [5, ""]);
  assert.match(
    err,
    /^brownout: nothing is run: reports\/expected_failures\/liar\.yaml .*\bbroken-policy-server\b.*\n$/,
  );
});

Deno.test("gate and golden select nothing with exit 5, and refuse what makes no sense with exit 2", async () => {
  assert.equal((await bench(["gate", "no-such-scenario-anywhere"])).code, 5);
  assert.equal((await bench(["gate", ""])).code, 2);
  assert.equal((await bench(["golden", ""])).code, 2);
  for (const args of [["gate"], ["golden"], ["golden", "--check"]]) {
    assert.equal((await bench([...args, "-j", "0"])).code, 2);
  }
  const unknown = await bench(["gate", "--subject", "referense"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /unknown subject "referense" \(did you mean "reference"\?\)/);
});

Deno.test("gate --json has every change and problem", async () => {
  await using folder = await GateFolder.make();
  const { code, out } = await folder.gate({ json: true });
  assert.equal(code, 1);
  const { changes, problems } = JSON.parse(out);
  assert.deepEqual(problems, []);
  assert.deepEqual(changes.map(({ where }: { where: string }) => where), [
    "broken-policy-server",
    "planner-in-a-fence",
    "planner-names-a-poet",
  ]);
});
