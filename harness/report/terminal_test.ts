import assert from "node:assert/strict";
import type { CellResult } from "../runner/run.ts";
import type { Check } from "../score/check.ts";
import type { TraceEvent } from "../trace/event.ts";
import { factsOf } from "./facts.ts";
import { gistOf } from "./gist.ts";
import { width } from "./layout.ts";
import { makeReport, reportOf } from "./report.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";
import { brokenPolicy, type CellSketch, scored, sketch } from "./testing.ts";

const render = (results: readonly CellResult[], options: Partial<TerminalOptions> = {}) =>
  renderTerminal(makeReport(results), results, { columns: 80, colour: false, timeline: "auto", files: [], ...options });
const fail: Check = {
  id: "disclosure.answer:policy",
  outcome: "fail",
  message: "policy is not named",
  evidence: [4, 9],
};

Deno.test("renderTerminal() shows a green run on one screen", () => {
  const files = [{ label: "report", path: "reports/runs/latest/report.json" }];
  assert.equal(
    render([brokenPolicy(), brokenPolicy({ cell: { lane: "wire" } })], { files, elapsedMs: 1234 }),
    `Brownout: 1 scenario, 2 cells in 1.2 s
sim: one process, virtual clock (ms)   wire: server processes, real clock

support                 sim  wire  answer    ms  failed → stands in
  broken-policy-server  pass pass  degraded 500  policy tool_error → cached

Timeline  broken-policy-server@sim  pass
  The policy server fails every call.
           0                          500 ms   steps  calls   status  code
  planner  •                                   1      0       ok
  billing  ───────────────────•════════════◆   1      1       ok
  policy   ✗                                   1      1, 1 ✗  failed  tool_error
  • turn   ◆ call ok   ! fault   ✗ call failed   ─ model   ═ tool
  faults    tool_error at policy.check_policy: fired 1 time
  recovery  policy: tool_error → fallback: a cached policy snapshot as of
            2026-07 stands in
  answer    degraded
  │ [billing] Two charges of $129.00.
  │ The policy specialist failed (tool_error).

PASS    cells   2 pass   0 fail   0 error   0 untestable
        checks  3 pass   0 fail   0 error   0 untestable
        lanes   1 of 1 agree: the same verdicts, the same canonical trace

report  reports/runs/latest/report.json
next    deno task bench explain broken-policy-server
        deno task bench run broken-policy-server --timeline
`,
  );
});

Deno.test("renderTerminal() shows a red run with its findings, their events, and the red one to run next", () => {
  const healthy = sketch({ cell: { scenario: "healthy-desk" } });
  const text = render([healthy, brokenPolicy({ checks: [fail] })], { timeline: "none" });
  assert.equal(
    text,
    `Brownout: 2 scenarios, 2 cells
sim: one process, virtual clock (ms)

support                 sim   answer    ms  failed → stands in
  healthy-desk          pass  none     500
  broken-policy-server  FAIL  degraded 500  policy tool_error → cached 2026-07

Findings
  FAIL  broken-policy-server@sim  disclosure.answer:policy
    policy is not named (events 4, 9)

FAIL    cells   1 pass   1 fail   0 error   0 untestable
        checks  1 pass   1 fail   0 error   0 untestable

next    deno task bench explain broken-policy-server
        deno task bench run broken-policy-server --timeline
`,
  );
});

Deno.test("renderTerminal() keeps name, outcome and sums at 40 columns", () => {
  assert.equal(
    render([brokenPolicy({ checks: [fail] })], { columns: 40, timeline: "none" }),
    `Brownout: 1 scenario, 1 cell
sim: one process, virtual clock (ms)

support                 sim   answer
  broken-policy-server  FAIL  degraded
      policy tool_error → cached 2026-07

Findings
  FAIL  broken-policy-server@sim
        disclosure.answer:policy
    policy is not named (events 4, 9)

FAIL
cells   0 pass   1 fail   0 error
        0 untestable
checks  0 pass   1 fail   0 error
        0 untestable

next    deno task bench explain
        broken-policy-server
        deno task bench run
        broken-policy-server --timeline
`,
  );
});

Deno.test("renderTerminal() of nothing is an error and says so", () => {
  assert.equal(
    render([]),
    `Brownout: 0 scenarios, 0 cells

Findings
  ERROR  the run  checks.some
    nothing was run or nothing was checked, which is never a pass

ERROR   cells   0 pass   0 fail   0 error   0 untestable
        checks  0 pass   0 fail   1 error   0 untestable

next    deno task bench list
`,
  );
});

Deno.test("renderTerminal() keeps error and untestable apart from fail", () => {
  const cells = (["error", "untestable", "fail"] as const).map((outcome) =>
    sketch({ cell: { scenario: `all-${outcome}` }, checks: [{ ...fail, id: `x.${outcome}`, outcome }] })
  );
  const text = render(cells);
  assert.match(text, /^ERROR {3}cells {3}0 pass {3}1 fail {3}1 error {3}1 untestable\n {8}checks {2}0 pass {3}1 fail/m);
  assert.match(text, /all-error +ERROR .*\n.*all-untestable +UNTESTABLE .*\n.*all-fail +FAIL /);
  assert.match(
    text,
    /^Timeline {2}all-fail@sim/m,
    "a failed cell is more worth a look than one that could not be judged",
  );
});

Deno.test("renderTerminal() lists five findings and says how many there are", () => {
  const checks = Array.from({ length: 9 }, (_, i) => ({ ...fail, id: `x${i}` }));
  const text = render([brokenPolicy({ checks })]);
  assert.match(text, /^Findings {2}the worst 5 of 9$/m);
  assert.equal(text.match(/^ {2}FAIL {2}/gm)?.length, 5);
});

Deno.test("renderTerminal() shows every timeline when asked", () => {
  const two = [brokenPolicy(), brokenPolicy({ cell: { lane: "wire" } })];
  assert.equal(render(two, { timeline: "all" }).match(/^Timeline /gm)?.length, 2);
  assert.equal(render(two, { timeline: "none" }).match(/^Timeline /gm), null);
});

Deno.test("renderTerminal() gives repeats one line, and outcomes that differ their numbers", () => {
  const cells = [1, 2, 3].map((repeat) =>
    brokenPolicy({ cell: { repeat }, ...(repeat === 2 ? { checks: [fail] } : {}) })
  );
  assert.match(render(cells), /^ {2}broken-policy-server +2 pass 1 FAIL +degraded/m);
});

/** Twenty scenarios, the last of which failed. */
const many = (more: Partial<CellSketch> = {}) =>
  Array.from(
    { length: 20 },
    (_, i) => sketch({ ...more, cell: { scenario: `s${i}` }, ...(i === 19 ? { checks: [fail] } : {}) }),
  );

Deno.test("renderTerminal() gives many scenarios a line for each crew and lane, and names what is not green", () => {
  const wire = sketch({ cell: { scenario: "s0", lane: "wire" } });
  const research = sketch({ cell: { scenario: "r" }, crew: "research" });
  assert.equal(
    render([...many(), wire, research]),
    `Brownout: 21 scenarios, 22 cells
sim: one process, virtual clock (ms)   wire: server processes, real clock

crew      lane  scenarios  pass  fail  error  untestable
support   sim          20    19     1      0           0
          wire          1     1     0      0           0
research  sim           1     1     0      0           0
  FAIL  s19

Findings
  FAIL  s19@sim  disclosure.answer:policy
    policy is not named (events 4, 9)

FAIL    cells   21 pass    1 fail    0 error    0 untestable
        checks  22 pass    1 fail    0 error    0 untestable
        lanes   1 of 1 agree: the same verdicts, the same canonical trace

next    deno task bench explain s19
        deno task bench run s19 --timeline
        the same again with --list: a line for each scenario
`,
  );
});

Deno.test("renderTerminal() gives each scenario a line when asked, however many there are", () => {
  const text = render(many(), { list: true });
  assert.equal(text.match(/^ {2}s\d+ +(pass|FAIL) /gm)?.length, 20);
  assert.doesNotMatch(text, /untestable\nsupport|--list/);
  assert.equal(text.match(/^Timeline /gm)?.length, 1);
});

Deno.test("renderTerminal() stays on a screen where everything is red", () => {
  const checks = Array.from({ length: 9 }, (_, i) => ({ ...fail, id: `x${i}` }));
  const cells = Array.from({ length: 500 }, (_, i) => sketch({ cell: { scenario: `s${i}` }, checks }));
  const text = render(cells);
  assert.match(text, /^ {2}… and 488 more scenarios not green$/m);
  assert.ok(text.split("\n").length < 50);
});

Deno.test("renderTerminal() shows the scores of each crew: mean, and worst with its scenario", () => {
  const cells = [
    sketch({
      cell: { scenario: "a" },
      scores: [scored("plan", 1), scored("honesty", 1), scored("cost", 100, "tokens")],
    }),
    sketch({
      cell: { scenario: "b" },
      scores: [scored("plan", 0.5), scored("latency", 1.25, "stretch"), scored("cost", 300, "tokens")],
    }),
    sketch({ cell: { scenario: "c" }, crew: "research", scores: [scored("plan", 1), scored("honesty", null)] }),
  ];
  const text = render(cells, { timeline: "none" });
  assert.equal(
    text.slice(text.indexOf("score "), text.indexOf("PASS")),
    `score          crew       mean  worst
plan           support    0.75  0.50 b
               research   1.00
honesty        support    1.00
latency        support   1.25x
cost (tokens)  support     200  300 b

`,
  );
});

Deno.test("renderTerminal() shows intervals where there are repeats, and only there", () => {
  const repeated = (repeats: number) =>
    Array.from(
      { length: 8 },
      (_, i) =>
        Array.from({ length: repeats }, (_, j) =>
          sketch({ cell: { scenario: `s${i}`, repeat: j + 1 }, scores: [scored("honesty", i % 2)] })),
    ).flat();
  assert.doesNotMatch(render(repeated(1)), /interval/);
  assert.match(
    render(repeated(2)),
    /^score +crew +mean {2}95 % interval {2}worst\nhonesty +support +0\.50 {2}0\.\d\d to 0\.\d\d/m,
  );
});

Deno.test("renderTerminal() is the same for the same run, and differs with colour in escapes only", () => {
  const results = [brokenPolicy(), sketch({ cell: { scenario: "b" }, checks: [fail] })];
  assert.equal(render(results), render(results));
  const coloured = render(results, { colour: true });
  assert.notEqual(coloured, render(results));
  // deno-lint-ignore no-control-regex
  assert.equal(coloured.replace(/\u001b\[\d+m/g, "").replace(/ +$/gm, ""), render(results));
});

Deno.test("renderTerminal() offers no command with anything but a plain name in it", () => {
  const text = render([sketch({ cell: { scenario: "$(reboot)" } })]);
  assert.match(text, /^next {4}deno task bench list$/m);
  const variant = render([sketch({ cell: { variant: "slow" } })]);
  assert.match(variant, /^next {4}deno task bench explain broken-policy-server\/slow$/m);
});

Deno.test("renderTerminal() is harmless and in its width whatever the texts hold", () => {
  const evils = [
    "\u001b[31m\u001b]0;x\u0007",
    "\u202e\u2066evil",
    "a\nPASS\r\nb",
    "日本🔥".repeat(30),
    "\u0300".repeat(500),
    "x".repeat(1 << 20),
    "",
  ];
  for (const evil of evils) {
    const result = brokenPolicy({
      cell: { scenario: `s${evil}`, subject: evil },
      story: `s${evil}`,
      crew: evil,
      faults: [],
      checks: [{ id: evil, outcome: "fail", message: evil, evidence: Array.from({ length: 99 }, (_, i) => i) }],
      scores: [scored("honesty", 0.5)],
      answer: {
        status: "degraded",
        text: evil,
        sections: [],
        failures: [{
          specialist: evil,
          code: "timeout",
          detail: evil,
          effect: evil,
          substituted: { kind: "cached", asOf: evil, source: evil },
        }],
      },
    });
    const crowd = Array.from({ length: 20 }, (_, i) => sketch({ cell: { scenario: `${evil}${i}` }, checks: [fail] }));
    for (const [columns, more] of [[24, []], [40, crowd], [60, crowd], [80, []], [80, crowd], [120, []]] as const) {
      const text = render([result, sketch(), ...more], {
        columns,
        files: [{ label: evil, path: `p${evil}` }],
        timeline: more.length > 0 ? "auto" : "all",
      });
      for (const line of text.split("\n")) assert.ok(width(line) <= columns, `${columns}: ${line}`);
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      assert.doesNotMatch(text, /^PASS/m);
      assert.ok(text.length < 60_000, `${text.length}`);
    }
  }
});

Deno.test("renderTerminal() offers the same run again with its options, on lines that a shell takes for one", () => {
  const last = (more: Partial<TerminalOptions>) =>
    render([sketch()], { timeline: "none", ...more }).split("\n").slice(-4);
  const again = ["--subject 'cmd: python3 my_agent.py'", "--lane wire"];
  assert.deepEqual(last({ again: ["--lane wire"] }).slice(-3), [
    "next    deno task bench explain broken-policy-server",
    "        deno task bench run broken-policy-server --timeline --lane wire",
    "",
  ]);
  assert.deepEqual(last({ again, task: "bench:live" }), [
    "next    deno task bench explain broken-policy-server",
    "        deno task bench:live run broken-policy-server --timeline \\",
    "        --subject 'cmd: python3 my_agent.py' --lane wire",
    "",
  ]);
});

Deno.test("renderTerminal() names the cell that failed in a file of the user's own, too", () => {
  const paths = new Map([["own-desk", "own.yaml"]]);
  const next = (variant: string | null) =>
    render([sketch({ cell: { scenario: "own-desk", variant }, checks: [fail] })], { timeline: "none", paths })
      .split("\n").slice(-3);
  assert.deepEqual(next("all-faults.partial_page"), [
    "next    deno task bench explain own.yaml/all-faults.partial_page",
    "        deno task bench run own.yaml/all-faults.partial_page --timeline",
    "",
  ]);
  assert.deepEqual(next(null)[0], "next    deno task bench explain own.yaml");
});

Deno.test("renderTerminal() names every cell that was not run, and says where it cuts other words", () => {
  const notRun = Array.from({ length: 9 }, (_, i) => `healthy-desk/a-variant-with-a-name@sim,repeat=${i}`);
  const partial = { why: "w".repeat(20), planned: 10, ended: 0, notRun, brokenOff: ["healthy-desk@sim"] };
  const long = { ...fail, message: "word ".repeat(200) };
  const results = [sketch({ checks: [long] })];
  const facts = results.map(factsOf);
  const report = reportOf(facts.map(gistOf), [], facts.map((one) => one.report), partial);
  const text = renderTerminal(report, results, { columns: 80, colour: false, timeline: "none", files: [] });
  for (const name of [...notRun, "broken off: healthy-desk@sim"]) {
    assert.ok(text.replace(/\s+/g, " ").includes(name), name);
  }
  assert.equal(text.match(/w{20}/g)?.length, 1, "the reason stands once");
  assert.match(text, /\n {4}word.*\n.*\n.*\n {4}word.* …\n\n/);
});

Deno.test("renderTerminal() says of an answer in plain text what the table says: that it is one", () => {
  const plain = brokenPolicy();
  const shows: TraceEvent = {
    ...{ run: "cell", seq: 99, t: 500, side: "bench", type: "subject.shows", span: "run" },
    detail: { shows: [] },
  };
  const text = render([{ ...plain, trace: { ...plain.trace, events: [...plain.trace.events, shows] } }]);
  assert.match(text, /^ {2}broken-policy-server +pass +text/m);
  assert.match(text, /^ {2}answer +text$/m);
});
