import assert from "node:assert/strict";
import { KeptRun } from "./kept_run.ts";
import { wholeCheck } from "./report/early_end.ts";
import { renderHtml } from "./report/html.ts";
import { renderJson } from "./report/json.ts";
import { renderMarkdown } from "./report/markdown.ts";
import { makeReport } from "./report/report.ts";
import { renderTerminal } from "./report/terminal.ts";
import { brokenPolicy, scored, sketch } from "./report/testing.ts";
import type { CellResult } from "./runner/run.ts";
import { RunStore } from "./store/run_store.ts";
import { HEAD, TempFolder } from "./store/testing.ts";
import { cellId } from "./trace/event.ts";
import { writeTrace } from "./trace/jsonl.ts";
import { TraceFolder } from "./trace_folder.ts";

const red = { id: "x.red", outcome: "fail", message: "policy is not named", evidence: [3] } as const;
/** Both lanes of one scenario, that differ; repeats; one that is red; and one of another crew. */
const RESULTS: readonly CellResult[] = [
  sketch({ cell: { scenario: "healthy-desk" }, crew: "review", scores: [scored("honesty", 1)] }),
  brokenPolicy({ scores: [scored("honesty", 0.5)] }),
  brokenPolicy({ cell: { lane: "wire" }, events: [] }),
  brokenPolicy({ cell: { repeat: 2 }, checks: [red], scores: [scored("honesty", 0)] }),
  brokenPolicy({ cell: { repeat: 3 } }),
];
const CELLS = RESULTS.map(({ trace }) => trace.cell);
const screen = (report: Parameters<typeof renderTerminal>[0], results: Iterable<CellResult>, all: boolean) =>
  renderTerminal(report, results, { columns: 80, colour: false, timeline: all ? "all" : "auto", files: [] });

Deno.test("KeptRun gives the report that the same results in memory give, whatever the order in which they ended", () => {
  const whole = makeReport(RESULTS);
  assert.ok(whole.run.some(({ outcome }) => outcome === "fail"), "the lanes differ");
  for (const order of [[0, 1, 2, 3, 4], [4, 2, 0, 3, 1], [3, 4, 1, 2, 0]]) {
    for (const timelines of [false, true]) {
      using store = RunStore.create(":memory:", HEAD);
      const run = new KeptRun(store, CELLS, { allTraces: true, timelines });
      for (const n of order) run.keep(RESULTS[n] ?? assert.fail(), n);
      const report = run.report();
      for (const render of [renderJson, renderMarkdown, renderHtml]) assert.equal(render(report), render(whole));
      assert.equal(screen(report, run.telling(timelines), timelines), screen(whole, RESULTS, timelines));
    }
  }
});

Deno.test("KeptRun goes on where another left off", async () => {
  await using temp = await TempFolder.make();
  const path = temp.of("s.sqlite");
  {
    using store = RunStore.create(path, HEAD);
    const run = new KeptRun(store, CELLS, { allTraces: true, timelines: false });
    for (const n of [3, 1]) run.keep(RESULTS[n] ?? assert.fail(), n);
  }
  using store = RunStore.open(path);
  const run = new KeptRun(store, CELLS, { allTraces: true, timelines: false });
  for (const n of [4, 0, 2]) run.keep(RESULTS[n] ?? assert.fail(), n);
  const [report, whole] = [run.report(), makeReport(RESULTS)];
  assert.equal(renderJson(report), renderJson(whole));
  assert.equal(screen(report, run.telling(false), false), screen(whole, RESULTS, false));
});

Deno.test("KeptRun shows a cell that it has the trace of, though the one most worth a look was let go", () => {
  using store = RunStore.create(":memory:", HEAD);
  const begun = new KeptRun(store, CELLS, { allTraces: true, timelines: false });
  // The red one first: of those after it no trace is kept but the twins'.
  for (const n of [3, 4]) begun.keep(RESULTS[n] ?? assert.fail(), n);
  begun.forget([3]);
  const run = new KeptRun(store, CELLS, { allTraces: true, timelines: false });
  run.keep(RESULTS[0] ?? assert.fail(), 0);
  assert.deepEqual([...run.telling(false)].map(({ trace }) => trace.cell?.scenario), ["healthy-desk"]);
  for (const n of [1, 2, 3]) run.keep(RESULTS[n] ?? assert.fail(), n);
  const report = run.report();
  assert.equal(screen(report, run.telling(false), false), screen(makeReport(RESULTS), RESULTS, false));
});

Deno.test("KeptRun files each trace as its cell ends, or, of many, those that are not green", async () => {
  await using temp = await TempFolder.make();
  for (const allTraces of [true, false]) {
    using store = RunStore.create(":memory:", HEAD);
    const traces = new TraceFolder(temp.of(`traces-${allTraces}`));
    const run = new KeptRun(store, CELLS, { traces, allTraces, timelines: false });
    const wanted: string[] = [];
    for (const [n, result] of RESULTS.entries()) {
      run.keep(result, n);
      const name = `${cellId(result.trace.cell)}.jsonl`;
      if (!allTraces && result.scorecard.outcome === "pass") continue;
      wanted.push(name);
      assert.equal(await Deno.readTextFile(`${traces.path}/${name}`), writeTrace(result.trace));
    }
    assert.deepEqual([...Deno.readDirSync(traces.path)].map(({ name }) => name).sort(), wanted.sort());
    assert.equal(traces.trouble, undefined);
  }
});

Deno.test("TraceFolder takes away what a killed life of its run had not finished, and nothing else", async () => {
  await using temp = await TempFolder.make();
  const [mine, others, whole] = ["a@sim.jsonl.one.tmp", "a@sim.jsonl.two.tmp", "a@sim.jsonl"];
  for (const name of [mine, others, whole]) await Deno.writeTextFile(temp.of(name), "");
  new TraceFolder(temp.of(""), "one").tidy();
  new TraceFolder(temp.of("nowhere"), "one").tidy();
  assert.deepEqual([...Deno.readDirSync(temp.of(""))].map(({ name }) => name).sort(), [whole, others]);
});

Deno.test("TraceFolder tells what cannot be written, and costs no result", async () => {
  await using temp = await TempFolder.make();
  await Deno.writeTextFile(temp.of("file"), "");
  using store = RunStore.create(":memory:", HEAD);
  const traces = new TraceFolder(temp.of("file/traces"));
  new KeptRun(store, CELLS, { traces, allTraces: true, timelines: false }).keep(RESULTS[0] ?? assert.fail(), 0);
  assert.equal(store.done().size, 1);
  assert.match(
    traces.trouble?.message ?? "",
    /file\/traces\/healthy-desk@sim\.jsonl cannot be written: not a directory$/,
  );
});

Deno.test("KeptRun reports a run that was ended early as a part: what was run, an error, and the names of what was not", () => {
  using store = RunStore.create(":memory:", HEAD);
  const run = new KeptRun(store, CELLS, { allTraces: true, timelines: false });
  for (const n of [4, 1]) run.keep(RESULTS[n] ?? assert.fail(), n);
  const names = CELLS.map(cellId);
  const report = run.report({ why: "the key is refused", brokenOff: new Set([4]) });
  assert.deepEqual([...report.cells].map(({ id }) => id), [names[1], names[4]], "in the order of the run");
  assert.deepEqual(report.partial, {
    ...{ why: "the key is refused", planned: 5, ended: 1 },
    ...{ notRun: [names[0], names[2], names[3]], brokenOff: [names[4]] },
  });
  assert.deepEqual([report.outcome, report.run.map(({ id, outcome }) => [id, outcome])], [
    "error",
    [["run.whole", "error"]],
  ]);
  assert.deepEqual(
    [report.summary.cells.pass, report.summary.checks.error],
    [2, 1],
    "and no cell that was not run counts",
  );
  const told = "partial: 1 of 5 cells have been run";
  for (const render of [renderJson, renderMarkdown, renderHtml]) assert.match(render(report), new RegExp(told));
  const [, second] = screen(report, run.telling(false), false).split("\n");
  assert.equal(second, `${told}: the key is refused`);
  // Many names are many lines: a check has a few of them, and the JSON all.
  const message =
    wholeCheck({ why: "x", planned: 90, ended: 0, notRun: Array(90).fill("a@sim"), brokenOff: [] }).message;
  assert.match(message, /: x; not run: (?:a@sim, ){9}a@sim and 80 more$/);
});
