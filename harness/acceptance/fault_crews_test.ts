/**
 * Every fault of the catalogue in every crew in which it finds something to do. What must always hold, holds; and what the
 * fault comes to in the answer is what the catalogue says, or one of the few other things that are named here, with why.
 */
import assert from "node:assert/strict";
import { type Fault, FAULTS } from "../../servers/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { crewOf, type Scenario } from "../scenario/mod.ts";
import { expand } from "../scenario/expand.ts";
import type { CellResult } from "../runner/run.ts";
import { viewTrace } from "../score/view.ts";
import { cellSpec, notGreen, runOne, scenarioNamed, type WrittenScenario } from "../testing/cells.ts";

/** A healthy run of each crew; one with effects behind approval, and one of each crew that has peers. */
const BASES = [
  "healthy-desk",
  "two-lookups-at-once",
  "refund-within-the-limit",
  "peers-hand-over-in-turn",
  "healthy-review",
  "healthy-research",
  "finding-handed-on-for-a-check",
  "healthy-brief",
];

/** A failure's code in the answer, or `ok` where it has none. */
type Came = string;

/** What else a fault may come to than its outcome in the catalogue. */
interface Otherwise {
  readonly to: readonly Came[];
  readonly because: string;
}

const WITHHELD = "what the result was changed to does not bear out what the script says, so that is withheld";
const IN_FORM = "a report made of a result that cannot be read has no form that can be";
const WHICH = "with two calls on their way nobody can tell whose line it was, and both may wait for theirs";
const PROSE = "prose where findings are due cannot be read as any";
const UNLIMITED = "no limit of the crew is reached";

const OTHERWISE: ReadonlyMap<string, Otherwise> = new Map(Object.entries<Otherwise>({
  truncated_result: { to: ["unverified", "malformed_result"], because: `${WITHHELD}; ${IN_FORM}` },
  stale: { to: ["unverified"], because: WITHHELD },
  stale_undated: { to: ["unverified", "malformed_result"], because: `${WITHHELD}; ${IN_FORM}` },
  corrupt_value: { to: ["unverified"], because: WITHHELD },
  partial_page: { to: ["unverified"], because: WITHHELD },
  silent_noop: { to: ["unverified", "malformed_result"], because: `${WITHHELD}; ${IN_FORM}` },
  clock_skew: { to: ["unverified"], because: WITHHELD },
  unsolicited_reply: { to: ["unverified"], because: WHICH },
  unknown_tool: {
    to: ["unverified"],
    because: "the call that was renamed is never made, and the note claims what it would have brought",
  },
  duplicate_call_ids: {
    to: ["unverified"],
    because: "the call that has another's id is never made, and the note claims what it would have brought",
  },
  prototype_keys: { to: ["malformed_result"], because: IN_FORM },
  no_newline: {
    to: ["malformed_result"],
    because: "the next reply is glued to the one without an end, and both are lost at once",
  },
  proxy_html: { to: ["timeout"], because: WHICH },
  bad_frame: { to: ["timeout"], because: WHICH },
  pretty_printed: { to: ["timeout"], because: WHICH },
  oversized_line: { to: ["timeout"], because: WHICH },
  missing_id: { to: ["timeout"], because: WHICH },
  swapped_replies: {
    to: ["ok"],
    because: "servers of other people give no mark back; both texts were observed, and each claim is held against both",
  },
  slow_drip: { to: ["timeout"], because: "a result of some size takes longer than the worker has" },
  dies_idle: { to: ["ok"], because: "nothing is asked of the server any more, or a new connection has what is asked" },
  slow_first_token: { to: ["timeout"], because: "by default it is slower than a worker's deadline" },
  slow_stream: { to: ["timeout"], because: "by default it is slower than a worker's deadline" },
  budget_exhausted: { to: ["ok"], because: UNLIMITED },
  lost_history: {
    to: ["ok", "unverified"],
    because:
      "the script goes on as if it knew what it has been told; what it says is held against what its calls brought",
  },
  never_stops: {
    to: ["tool_error"],
    because: "a worker that never saw a usable result says why, and not that its steps ran out",
  },
  confident_at_limit: {
    to: ["tool_error"],
    because: "a worker that never saw a usable result says why, and not that its steps ran out",
  },
  bad_arguments: { to: ["ok"], because: "the server does without the argument that is gone" },
  unsupported_note: {
    to: ["ok"],
    because: "beside a report in JSON the sentence is no part of it, and is passed on by nobody",
  },
  off_brief_worker: { to: ["malformed_result"], because: PROSE },
  withheld_finding: { to: ["malformed_result"], because: PROSE },
  synthesis_drops: { to: ["malformed_result"], because: PROSE },
  wrong_specialist: {
    to: ["ok"],
    because: "scripts do not mind whose task they are given; what they say rests on their own calls",
  },
  dropped_facts: { to: ["ok"], because: "scripts know what the plan leaves out" },
}));

/** Which faults find nothing to do where: not more than these, and for these reasons. */
const INAPPLICABLE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "it needs two calls of one server in one turn, and the script leads to none": {
    swapped_replies: [
      "healthy-desk",
      "refund-within-the-limit",
      "peers-hand-over-in-turn",
      "healthy-review",
      "healthy-research",
      "finding-handed-on-for-a-check",
    ],
    queue_full: [
      "healthy-desk",
      "refund-within-the-limit",
      "peers-hand-over-in-turn",
      "healthy-review",
      "healthy-research",
      "finding-handed-on-for-a-check",
    ],
    out_of_order: [
      "healthy-desk",
      "refund-within-the-limit",
      "peers-hand-over-in-turn",
      "healthy-review",
      "healthy-research",
      "finding-handed-on-for-a-check",
    ],
  },
  "it needs a tool with an output schema, and the script leads to none": {
    schema_violation: [
      "healthy-desk",
      "two-lookups-at-once",
      "refund-within-the-limit",
      "peers-hand-over-in-turn",
      "healthy-review",
    ],
  },
  "it needs a result with letters beyond ASCII, and the script leads to none": {
    mojibake: [
      "healthy-desk",
      "refund-within-the-limit",
      "peers-hand-over-in-turn",
      "healthy-review",
      "healthy-research",
      "finding-handed-on-for-a-check",
      "healthy-brief",
    ],
  },
  "it is in the bytes of a reply over HTTP, and in sim the model is called in the same process": {
    shared_stream_index: [
      "healthy-desk",
      "two-lookups-at-once",
      "refund-within-the-limit",
      "peers-hand-over-in-turn",
      "healthy-review",
      "healthy-research",
      "finding-handed-on-for-a-check",
      "healthy-brief",
    ],
    split_multibyte: [
      "healthy-desk",
      "two-lookups-at-once",
      "refund-within-the-limit",
      "peers-hand-over-in-turn",
      "healthy-review",
      "healthy-research",
      "finding-handed-on-for-a-check",
      "healthy-brief",
    ],
  },
  "it needs a date in a result, and the script leads to none": {
    stale: ["refund-within-the-limit", "healthy-review", "healthy-brief"],
    stale_undated: ["refund-within-the-limit", "healthy-review", "healthy-brief"],
    clock_skew: ["refund-within-the-limit", "healthy-review", "healthy-brief"],
  },
  "it needs a list in a result, and the script leads to none": {
    partial_page: ["refund-within-the-limit"],
    duplicated_rows: ["refund-within-the-limit"],
  },
  "peers have no planner": {
    fenced_plan: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    malformed_plan: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    empty_plan: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    truncated_plan: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    unknown_specialist: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    wrong_specialist: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    dropped_facts: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    cyclic_plan: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    duplicate_task_ids: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    over_decomposed: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    under_decomposed: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    serialised_plan: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    prose_for_schema: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
    prototype_specialist: ["peers-hand-over-in-turn", "finding-handed-on-for-a-check"],
  },
};

/** The base with effects, made slow enough for faults that need time. */
function fitted(name: string): WrittenScenario {
  const scenario = scenarioNamed(name);
  if (name !== "refund-within-the-limit") return scenario;
  const [first, ...rest] = scenario.script["cashier"] ?? [];
  assert.ok(first);
  return { ...scenario, script: { ...scenario.script, cashier: [{ ...first, takes: 500 }, ...rest] } };
}

/** With a script for whom the crew's own plan sends, who is asked only where the planner fails. */
function withComms(scenario: Scenario): Scenario {
  if (scenario.script["comms"] !== undefined) return scenario;
  const { script, servers } = scenarioNamed("healthy-desk");
  const [comms, kb] = [script["comms"], servers["kb"]];
  if (scenario.crew !== "support" || comms === undefined || kb === undefined) return scenario;
  return { ...scenario, script: { ...scenario.script, comms }, servers: { ...scenario.servers, kb } };
}

interface Cell {
  readonly base: string;
  readonly fault: Fault;
  readonly result: CellResult;
}

const cells: Cell[] = [];
const inapplicable = new Map<string, Map<string, string[]>>();
await using lane = simLane();
for (const base of BASES) {
  const scenario = fitted(base);
  const expansion = expand(scenario, crewOf(scenario), "all-faults");
  for (const one of expansion.scenarios) {
    const fault = FAULTS.get(one.faults.at(-1)?.fault ?? "");
    assert.ok(fault);
    cells.push({ base, fault, result: await runOne(cellSpec(withComms(one)), lane) });
  }
  for (const { fault, reason } of expansion.inapplicable) {
    const own = inapplicable.get(reason) ?? new Map<string, string[]>();
    own.set(fault, [...own.get(fault) ?? [], base]);
    inapplicable.set(reason, own);
  }
}

const nameOf = ({ base, fault }: Cell) => `${base} under ${fault.id}`;

/** What a cell's fault came to: the codes of the answer's failures; dependents that were not begun follow from them. */
function cameTo({ result: { trace } }: Cell): Came[] {
  const codes = (viewTrace(trace).answer?.failures ?? []).map(({ code }) => code);
  const own = codes.filter((code) => code !== "not_started");
  return codes.length === 0 ? ["ok"] : [...new Set(own.length === 0 ? codes : own)];
}

/** Whether a failure may be recovered, so that nothing of it is in the answer. */
function mayRecover({ fault }: Cell): boolean {
  return fault.persistence() === "transient";
}

Deno.test("every crew stands every fault that finds something to do in it", () => {
  assert.ok(cells.length > 130 * BASES.length, `${cells.length} cells`);
  assert.deepEqual(cells.flatMap((cell) => notGreen(cell.result).map((check) => `${nameOf(cell)}: ${check}`)), []);
});

Deno.test("each fault comes to what the catalogue says, or to what is named here", () => {
  const used = new Set<string>();
  const wrong = cells.flatMap((cell) => {
    const { id, outcome } = cell.fault;
    const also = OTHERWISE.get(id)?.to ?? [];
    const came = cameTo(cell);
    for (const one of came) if (one !== outcome && also.includes(one)) used.add(`${id} ${one}`);
    const isFine = (one: Came) => one === outcome || also.includes(one) || one === "ok" && mayRecover(cell);
    return came.every(isFine) ? [] : [`${nameOf(cell)}: ${came.join(", ")}, and not ${outcome}`];
  });
  assert.deepEqual(wrong, []);
  const named = [...OTHERWISE].flatMap(([id, { to }]) => to.map((one) => `${id} ${one}`));
  assert.deepEqual(named.filter((one) => !used.has(one)), [], "named here, and it never comes to that");
});

Deno.test("a fault that was recovered leaves no word of a failure, and one that was not is named with its code", () => {
  for (const cell of cells) {
    const { answer } = viewTrace(cell.result.trace);
    assert.ok(answer, nameOf(cell));
    const isWhole = answer.failures.length === 0;
    assert.equal(answer.status === "complete", isWhole, nameOf(cell));
    for (const { code } of answer.failures) assert.ok(answer.text.includes(code), `${nameOf(cell)}: ${code}`);
  }
});

Deno.test("which faults find nothing to do in which crew, and why", () => {
  const seen = Object.fromEntries([...inapplicable].map(([reason, faults]) => [reason, Object.fromEntries(faults)]));
  assert.deepEqual(seen, INAPPLICABLE);
});
