import assert from "node:assert/strict";
import { compareFolder } from "../gate/compare_folder.ts";
import { tellChanges } from "../gate/tell.ts";
import type { CellResult } from "../runner/run.ts";
import { scorecard } from "../score/check.ts";
import type { Score } from "../score/scores.ts";
import { cellSpec, runOne } from "../testing/cells.ts";
import { answering } from "../testing/subjects.ts";
import { compareCells, compareGoldens, worstFirst } from "./compare.ts";
import { eventDigests, firstDifference, unwrapDigests, wrapDigests } from "./events.ts";
import { isSealed, parseGolden, renderGolden } from "./file.ts";
import type { GoldenFolder } from "./folder.ts";
import { goldenCell, makeGoldens } from "./make.ts";
import { renderTable } from "./table.ts";

const sound = await runOne(cellSpec("broken-policy-server"));

function honesty(value: number, message: string): Score {
  return { id: "honesty", value, unit: "ratio", components: [], message, evidence: [] };
}

/** The sound run with other scores, checks or events. */
function otherwise(more: Partial<CellResult["scorecard"]>, events = sound.trace.events): CellResult {
  return { trace: { ...sound.trace, events }, scorecard: { ...sound.scorecard, scores: [], ...more } };
}

function compare(before: CellResult, now: CellResult) {
  return compareCells("cell", goldenCell(before), goldenCell(now), now.trace);
}

function folderOf(...results: CellResult[]): GoldenFolder {
  const goldens = makeGoldens(results);
  const files = goldens.map((golden) => {
    const name = `${golden.crew}/${golden.scenario}.json`;
    return [name, { name, file: name, text: renderGolden(golden), golden }] as const;
  });
  return { files: new Map(files), table: renderTable(goldens), problems: [] };
}

Deno.test("compareCells() says nothing about the same run again", async () => {
  assert.deepEqual(compare(sound, await runOne(cellSpec("broken-policy-server"))), []);
});

Deno.test("compareCells() says of a subject that grows silent what a person would say", async () => {
  const liar = answering("liar", (answer) => ({
    ...answer,
    text: answer.text.split("\n").filter((line) => !line.includes("specialist failed")).join("\n"),
  }));
  const lied = await runOne(cellSpec("broken-policy-server", { subject: liar }));
  const before = otherwise({ scores: [honesty(1, "every failure is named")] });
  const now = { ...lied, scorecard: { ...lied.scorecard, scores: [honesty(0.5, "policy failed in silence")] } };
  const [change] = compare(before, now);
  assert.equal(change?.severity, "fail");
  assert.ok(change.facts.some((fact) => /^fail disclosure\.prose:policy: /.test(fact)), String(change.facts));
  assert.ok(change.facts.some((fact) => /^honesty 1\.00 → 0\.50: \S/.test(fact)), String(change.facts));
  assert.ok(change.facts.some((fact) => /^the answer no longer says “The policy specialist failed/.test(fact)));
  assert.match(change.parts ?? "", /^first difference at event \d+ \(run\.\w+ run\)$/);
});

Deno.test("compareCells() tells a lower score first, with its sentence and the first event that differs", () => {
  const changed = sound.trace.events.map((event) => event.seq === 41 ? { ...event, outcome: "another" } : event);
  const now = otherwise({ scores: [honesty(0.5, "policy failed and the answer no longer says so")] }, changed);
  const told = tellChanges(compare(otherwise({ scores: [honesty(1, "all is said")] }), now));
  const { type, span } = sound.trace.events[41] ?? assert.fail();
  assert.ok(
    told.startsWith(
      `cell: honesty 1.00 → 0.50: policy failed and the answer no longer says so; ` +
        `first difference at event 41 (${type} ${span})\n`,
    ),
    told,
  );
});

Deno.test("compareCells() finds a better score, and a dearer run, less bad than another answer", () => {
  const cost = (value: number): Score => ({ ...honesty(value, `${value} tokens`), id: "cost", unit: "tokens" });
  const [better] = compare(
    otherwise({ scores: [honesty(0.5, "")] }),
    otherwise({ scores: [honesty(1, "all is said")] }),
  );
  assert.deepEqual([better?.severity, better?.facts], ["work", ["honesty 0.50 → 1.00: all is said"]]);
  const [dearer] = compare(otherwise({ scores: [cost(2721)] }), otherwise({ scores: [cost(2723)] }));
  assert.deepEqual([dearer?.severity, dearer?.facts], ["time", ["cost 2721 → 2723: 2723 tokens"]]);
  const [lost] = compare(otherwise({ scores: [cost(1)] }), otherwise({ scores: [{ ...cost(1), value: null }] }));
  assert.deepEqual([lost?.severity, lost?.facts], ["score", ["cost 1.00 → none: 1 tokens"]]);
});

Deno.test("compareCells() finds a scorer, and a score, that was removed", () => {
  const checks = sound.scorecard.checks.filter(({ id }) => !id.startsWith("plan.") && !id.startsWith("canary:"));
  const [change] = compare(otherwise({ scores: [honesty(1, "fine")] }), otherwise(scorecard(checks)));
  const gone = change?.facts.find((fact) => fact.startsWith("checks removed: ")) ?? assert.fail();
  assert.match(gone, /canary \(\d\)/);
  assert.match(gone, /plan\.nodes/);
  assert.ok(change?.facts.includes("score removed: honesty is gone"));
  assert.equal(change?.severity, "check");
  const fewer = sound.scorecard.checks.slice(0, -1).concat({
    id: "canary:New",
    outcome: "pass",
    message: "",
    evidence: [],
  });
  assert.match(
    compare(otherwise({}), otherwise({ checks: fewer }))[0]?.facts.join() ?? "",
    /number of checks: canary 6 → 7/,
  );
});

Deno.test("compareCells() tells what differs in the trace alone", () => {
  const [a, b, c, ...rest] = sound.trace.events;
  assert.ok(a && b && c);
  const [other] = compare(otherwise({}), otherwise({}, [a, { ...b, outcome: "odd" }, c, ...rest]));
  assert.equal(other?.severity, "trace");
  assert.deepEqual(other.facts, ["comes to the same on another way"]);
  assert.equal(other.parts, `first difference at event 1 (${b.type} ${b.span})`);
});

Deno.test("firstDifference() tells new, moved and lost events apart", () => {
  const { events } = sound.trace;
  const digests = eventDigests(sound.trace);
  assert.deepEqual(unwrapDigests(wrapDigests(digests)), digests);
  assert.equal(firstDifference(digests, { events }), undefined);
  const swapped = events.with(2, events[3] ?? assert.fail()).with(3, events[2] ?? assert.fail());
  assert.match(
    firstDifference(digests, { events: swapped }) ?? "",
    /^the same events in another order, from event 3 \(/,
  );
  assert.match(
    firstDifference(digests, { events: events.toSpliced(5, 2) }) ?? "",
    /^2 events are gone, the first of them before event 7 \(/,
  );
  assert.match(
    firstDifference(digests, { events: events.slice(0, 9) }) ?? "",
    /^the trace ends after event 8 \(.* earlier/,
  );
});

Deno.test("compareGoldens() finds variants that are new or stale", async () => {
  const spec = cellSpec("broken-policy-server");
  const variant = await runOne({ ...spec, cell: { ...spec.cell, variant: "twin" } });
  const [one, two] = [makeGoldens([sound])[0], makeGoldens([sound, variant])[0]];
  assert.ok(one && two);
  assert.deepEqual(compareGoldens(one, two, [sound.trace, variant.trace]), [
    { where: "broken-policy-server/twin", severity: "entry", facts: ["a new variant, which has no golden"] },
  ]);
  assert.match(compareGoldens(two, one, [sound.trace])[0]?.facts[0] ?? "", /^stale: /);
});

Deno.test("compareFolder() excuses nothing: no checks, and what is red with or without a golden, are red", () => {
  const nothing = { ...sound, scorecard: scorecard([]) };
  for (const folder of [folderOf(nothing), folderOf(sound), folderOf()]) {
    const told = tellChanges(compareFolder(folder, "golden", makeGoldens([nothing]), [nothing], true));
    assert.match(told, /^broken-policy-server: (.*\n.*)*error checks\.some: nothing was run or nothing was checked/m);
  }
  assert.deepEqual(compareFolder(folderOf(sound), "golden", makeGoldens([sound]), [sound], true), []);
});

Deno.test("worstFirst() puts what failed before what only takes longer", () => {
  const changes = (["trace", "time", "fail", "error", "score"] as const).map((severity) => ({ severity }));
  assert.deepEqual(worstFirst(changes).map(({ severity }) => severity), ["error", "fail", "score", "time", "trace"]);
});

Deno.test("a golden holds no path, no clock and no secret, and is found out when it is edited", () => {
  const [golden] = makeGoldens([sound]);
  assert.ok(golden && isSealed(golden));
  const text = renderGolden(golden);
  assert.doesNotMatch(text, /file:|\/home|\/tmp|\/root/);
  const read = parseGolden(text, "x.json");
  assert.ok(read.ok);
  assert.equal(renderGolden(read.value), text);
  assert.ok(!isSealed({ ...read.value, crew: "other" }));
  assert.throws(
    () => goldenCell({ ...sound, trace: { ...sound.trace, cell: { ...sound.trace.cell, lane: "wire" } } }),
    RangeError,
  );
});

Deno.test("tellChanges() says the same thing once, and ends somewhere", () => {
  const same = Array.from({ length: 9 }, (_, i) => ({ where: `s${i}`, severity: "entry", facts: ["new"] } as const));
  assert.equal(tellChanges(same), "s0, s1, s2, s3 and 5 more: new\n");
  const many = Array.from(
    { length: 99 },
    (_, i) => ({ where: `s${i}`, severity: "time", facts: [`${i} ms`] } as const),
  );
  const lines = tellChanges(many).trimEnd().split("\n");
  assert.equal(lines.length, 41);
  assert.equal(lines.at(-1), "… and 59 more; --json has them all");
  const hostile = tellChanges([{ where: "x", severity: "fail", facts: ["a\u001b[31m\nb"] }]);
  assert.equal(hostile, "x: a\\u{1b}[31m b\n");
});
