/**
 * The hub against every fault between it and a server, in both lanes: it comes to the outcome that the fault's entry
 * declares, and leaves nothing behind. What the whole orchestrator makes of that is asked elsewhere.
 */
import assert from "node:assert/strict";
import { Hub, type ServerPort } from "../../agents/mod.ts";
import {
  type ByteConnection,
  childPids,
  type Clock,
  guardGlobals,
  inCell,
  RealClock,
  sleep,
  VirtualClock,
} from "../../core/mod.ts";
import { type Connect, inMemory, SharedDesk } from "../../servers/faults/testing.ts";
import { faultEntrySchema, FaultLink, FAULTS, type Need, type WorldEvent } from "../../servers/mod.ts";

type Params = { readonly [param: string]: unknown };

/** How a fault is met: by a call of one tool and, when it has ended, one of another, the first of them struck. */
interface Case {
  /** @default A tool that has what the fault needs; the server, for a fault that is at servers only. */
  readonly at?: string;
  readonly params?: Params;
  /** Whether both calls are made at once. @default Where the fault needs it. */
  readonly atOnce?: boolean;
  /** Which call is struck. @default "first" */
  readonly struck?: "second" | "both";
  /** How the other one ends. @default "ok" */
  readonly other?: string;
  /** It changes no byte: only when they come, by so many milliseconds, or how they are cut. */
  readonly pace?: number | "cut";
  /** How long the session is idle before the first call, in milliseconds. */
  readonly idle?: number;
}

/**
 * How long a call may take that is expected to time out, in milliseconds: in wire long enough for the real answer to reach
 * the fault that keeps it, on a busy machine, too.
 */
const LIMIT = 1000;
/** And any other: more than it ever takes. */
const PATIENCE = 60_000;

const TOOLS: Readonly<Partial<Record<Need, string>>> = { list: "desk.search", structured_content: "desk.typed" };
const ARGS: Readonly<Record<string, { [name: string]: string }>> = { search: { query: "q" } };

/** The usual way, and once for each of these values. */
const shapes = (param: string, values: readonly unknown[], more: Case = {}): Case[] =>
  values.map((value) => ({ ...more, params: { ...more.params, [param]: value } }));
/** A fault of calls, met there, while the tools are listed, and at the beginning of the session. */
const anywhere = (more: Params = {}): Case[] => [
  { params: { ...more, on: "call" } },
  ...["list", "initialize"].map((on): Case => ({ params: { ...more, on }, struck: "both" })),
];
/** The connection ends with it, and so for both calls. */
const ends: Case = { struck: "both" };

/** What a fault needs beyond the usual, and the forms in which it is met. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  server_down: [ends],
  slow_start: [{ params: { ms: 40 }, pace: 39 }],
  crash_on_start: shapes("moment", ["connect", "initialize"], ends),
  crash: shapes("moment", ["on_request", "before_reply", "mid_reply"], ends),
  dies_idle: [{ params: { after: 10 }, idle: 100, struck: "both" }],
  reset_peer: [ends],
  reset_after_bytes: [{ params: { bytes: 300 }, struck: "both" }],
  black_hole: anywhere(),
  latency: [{ params: { ms: 40 }, pace: 39 }],
  slow_drip: [{ params: { size: 32, pause: 5 }, pace: 10 }],
  split_bytes: [{ pace: "cut" }, { params: { on: "stream" }, pace: "cut" }],
  cut_body: [ends],
  stream_cut: [ends],
  slow_close: [{ params: { ms: 40 }, pace: 39 }],
  pause_resume: [{ params: { ms: LIMIT + 150 }, pace: LIMIT + 149 }],
  proxy_html: anywhere(),
  rate_limited: anywhere(),
  unauthorized: [...anywhere(), ...shapes("status", [403, 404])],
  bad_frame: [...anywhere(), ...shapes("as", ["trailing_comma", "single_quotes", "nan", "prose"])],
  bad_reply: anywhere(),
  // The next reply is glued to it, and lost with it, which is known when it comes.
  no_newline: anywhere().map((one) => one.params?.["on"] === "call" ? { ...one, other: "malformed_result" } : one),
  pretty_printed: anywhere(),
  glued_garbage: anywhere(),
  missing_id: shapes("as", ["missing", "null"]),
  swapped_replies: [{ struck: "both" }],
  version_mismatch: [ends],
  no_tools_capability: [ends],
  initialize_refused: [ends],
  pagination_loop: shapes("cursor", ["same", "fresh"]),
  empty_list: [{ struck: "both" }],
  bad_tool_schema: shapes("kind", ["missing", "not_an_object", "text"]),
  dangling_schema: [...shapes("of", ["input", "output"]), { at: "desk.typed", params: { of: "output" } }],
  tool_vanishes: shapes("announced", [true, false]),
  duplicate_reply: shapes("second", ["same", "error"]),
  progress: [{ params: { every: 5 } }],
  progress_forever: [{ params: { every: 20 } }],
  server_asks: shapes("method", ["sampling/createMessage", "elicitation/create", "roots/list", "ping"]),
  error_nested: shapes("shape", ["result", "success", "status"]),
  empty_result: shapes("shape", ["no_blocks", "no_content", "blank_text", "null_text"]),
  bad_content: [{}],
  error_with_schema: [{}, { at: "desk.typed" }],
  schema_violation: shapes("kind", ["retyped", "missing", "absent"]),
  silent_noop: [{ at: "desk.save" }],
  acts_then_hangs: [{ at: "desk.save" }],
  quota_exhausted: [{ at: "desk", struck: "second" }],
  queue_full: [{ struck: "second" }],
  one_at_a_time: [{ params: { ms: 40 }, pace: 39 }],
  duplicate_delivery: [{ at: "desk.save" }],
};

const BETWEEN = [...FAULTS.values()].filter(({ applies }) => !applies.includes("agent"));

/** What came of two calls, and all that came before and after them. */
interface Seen {
  readonly outcomes: readonly string[];
  /** All bytes to the hub, one a character. */
  readonly text: string;
  readonly chunks: number;
  readonly ms: number;
  readonly events: readonly WorldEvent[];
}

async function play(clock: Clock, connect: Connect, id: string | undefined, one: Case): Promise<Seen> {
  const events: WorldEvent[] = [];
  const seen = { text: "", chunks: 0 };
  const fault = id === undefined ? undefined : FAULTS.get(id) ?? assert.fail(`no fault ${id}`);
  const place = placeOf(fault?.id, one);
  const faults = id === undefined ? [] : [faultEntrySchema.parse({ fault: id, at: place, ...one.params })];
  const link = new FaultLink({ server: "desk", connect });
  link.bind({ faults, clock, seed: "1", observer: (event) => events.push(event) });
  const port: ServerPort = { name: "desk", connect: async () => tap(await link.open(), seen) };
  const [tool = "find"] = place.split(".").slice(1);
  const begun = clock.now();
  const limit = fault?.outcome === "timeout" ? LIMIT : PATIENCE;
  // A session that is not struck itself must not be lost to the limit of a call.
  const connectTimeoutMs = one.struck === "both" ? limit : PATIENCE;
  const hub = await Hub.open({ ports: [port], clock, connectTimeoutMs });
  const call = async (name: string, timeoutMs: number) => {
    const args = ARGS[name] ?? { id: "D-42" };
    const signal = new AbortController().signal;
    const { code } = await hub.call(`desk.${name}`, args, { allow: ["desk"], signal, span: `run/${name}`, timeoutMs });
    return code ?? "ok";
  };
  if (one.idle !== undefined) await sleep(clock, one.idle);
  const calls = [() => call(tool, limit), () => call(tool === "search" ? "find" : "search", PATIENCE)];
  const outcomes: string[] = [];
  if (one.atOnce ?? fault?.needs === "concurrent_calls") {
    outcomes.push(...await Promise.all(calls.map((begin) => begin())));
  } else for (const begin of calls) outcomes.push(await begin());
  await hub.close();
  await link.close();
  return { outcomes, events, ms: clock.now() - begun, ...seen };
}

function placeOf(id: string | undefined, { at }: Case): string {
  const fault = id === undefined ? undefined : FAULTS.get(id);
  if (fault === undefined || at !== undefined) return at ?? "desk.find";
  if (!fault.applies.includes("tool") || fault.needs === "concurrent_calls") return "desk";
  return fault.needs === undefined ? "desk.find" : TOOLS[fault.needs] ?? "desk.find";
}

/** The same connection, with all that comes over it written down. */
function tap(connection: ByteConnection, seen: { text: string; chunks: number }): ByteConnection {
  return {
    open: (reader) =>
      connection.open({
        bytes: (chunk) => {
          seen.chunks++;
          seen.text += chunk.length > 100_000 ? `<${chunk.length} bytes>` : String.fromCharCode(...chunk);
          reader.bytes(chunk);
        },
        closed: () => reader.closed(),
      }),
    write: (chunk) => connection.write(chunk),
    close: () => connection.close(),
  };
}

function judge(id: string, one: Case, run: Seen, clean: Seen): void {
  const { outcome } = FAULTS.get(id) ?? assert.fail(`no fault ${id}`);
  const { other = "ok" } = one;
  const wanted = { first: [outcome, other], second: [other, outcome], both: [outcome, outcome] };
  assert.deepEqual(run.outcomes, wanted[one.struck ?? "first"]);
  assert.ok(run.events.some((event) => event.type === "fault" && event.fault === id), "it did not fire");
  assert.deepEqual(run.events.filter(({ type }) => type === "fault_broke"), []);
  if (one.pace === undefined) return assert.notEqual(run.text, clean.text, "the hub has seen nothing of it");
  assert.equal(run.text, clean.text, "the same bytes, at another pace");
  if (one.pace === "cut") assert.ok(run.chunks > clean.chunks, "no more pieces than without it");
  else assert.ok(run.ms >= one.pace, `took ${run.ms} ms only`);
}

async function inSim(work: (clock: VirtualClock) => Promise<Seen>): Promise<Seen> {
  using _guard = guardGlobals();
  const clock = new VirtualClock();
  const seen = await clock.run(() => inCell(clock, () => work(clock)));
  assert.equal(clock.pending, 0, "timers were left");
  return seen;
}

const named = ({ at, params = {} }: Case): string =>
  [...Object.entries(params).map((param) => param.join(" ")), ...(at === undefined ? [] : [`at ${at}`])].join(", ");

/** What happens without the fault. */
const asBefore = (id: string, one: Case): Case => ({
  at: placeOf(id, one),
  atOnce: FAULTS.get(id)?.needs === "concurrent_calls",
  ...(one.idle && { idle: one.idle }),
});

const ALL = BETWEEN.flatMap(({ id }) =>
  (CASES[id] ?? [{}]).map((one) => ({ id, one, name: `${id} ${named(one)}`.trim() }))
);

Deno.test("the cases are of faults that there are, between a hub and a server", () => {
  assert.deepEqual(Object.keys(CASES).filter((id) => !BETWEEN.some((fault) => fault.id === id)), []);
});

for (const { id, one, name } of ALL) {
  Deno.test(`Hub comes to "${FAULTS.get(id)?.outcome}" in sim for ${name}`, async () => {
    const clean = await inSim((clock) => play(clock, inMemory(clock), undefined, asBefore(id, one)));
    assert.deepEqual(clean.outcomes, ["ok", "ok"]);
    judge(id, one, await inSim((clock) => play(clock, inMemory(clock), id, one)), clean);
  });
}

Deno.test("Hub comes to the same in wire, of every fault, over one leased process, and leaves none behind", async (t) => {
  {
    await using desk = new SharedDesk();
    const clock = new RealClock();
    const twins = new Map<string, Seen>();
    for (const { id, one, name } of ALL) {
      const before = asBefore(id, one);
      const key = JSON.stringify(before);
      const clean = twins.get(key) ?? await play(clock, desk.connect, undefined, before);
      twins.set(key, clean);
      await t.step(name, async () => judge(id, one, await play(clock, desk.connect, id, one), clean));
    }
  }
  assert.deepEqual(childPids(), []);
});
