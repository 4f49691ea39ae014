/**
 * Every fault on the way between a hub and a server, in both lanes: what the hub's side sees is not what it sees without
 * the fault, and is what the fault's entry says.
 */
import { guardGlobals, inCell, RealClock, VirtualClock } from "../../core/mod.ts";
import { type Fields, isFields } from "../jsonrpc.ts";
import { faultEntrySchema, FAULTS } from "./registry.ts";
import { type Answer, type Connect, inMemory, play, type Run, SharedDesk } from "./testing.ts";
import assert from "node:assert/strict";

interface Case {
  /** @default "desk.find" */
  readonly at?: string;
  readonly when?: Fields;
  readonly params?: Fields;
  /** It changes when the bytes come, or how they are cut, and nothing else. */
  readonly isPace?: true;
  check(run: Run, clean: Run): void;
}

const result = (answer: Answer | undefined): Fields =>
  typeof answer === "object" && isFields(answer.result) ? answer.result : assert.fail(`no result: ${String(answer)}`);
const error = (answer: Answer | undefined): Fields =>
  typeof answer === "object" && isFields(answer.error) ? answer.error : assert.fail(`no error: ${String(answer)}`);
const texts = (answer: Answer | undefined): string[] => {
  const { content } = result(answer);
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.map((block) => isFields(block) ? String(block.text) : "");
};
const json = (answer: Answer | undefined): Fields => {
  const value: unknown = JSON.parse(texts(answer)[0] ?? "");
  return isFields(value) ? value : assert.fail("no object");
};
const took = (run: Run, step: string): number => run.took.get(step) ?? assert.fail(`${step} was not come to`);
const isFailed = (answer: Answer | undefined, said: RegExp) => {
  assert.equal(result(answer).isError, true);
  assert.match(texts(answer).join("\n"), said);
};
/** The calls beside and after the struck one get what they always get. */
const othersStand = (run: Run, clean: Run, ...steps: string[]) => {
  for (const step of steps) assert.deepEqual(result(run.answers.get(step)), result(clean.answers.get(step)), step);
};
const find = (run: Run) => run.answers.get("find");
const isFindWhole = (run: Run, clean: Run) => othersStand(run, clean, "find", "search", "again", "typed", "save");
const notified = (run: Run, method: string) => run.received.filter((message) => message.method === method).length;
const listed = (run: Run, name: string): Fields => {
  const tools = run.received.flatMap(({ result }) =>
    isFields(result) && Array.isArray(result.tools) ? result.tools : []
  );
  return tools.find((tool) => tool.name === name) ?? assert.fail(`${name} is not listed`);
};
const FIRST = { calls: [1] };
const malformed = (shows: RegExp) => (run: Run, clean: Run) => {
  assert.equal(find(run), "called off");
  assert.match(run.noise.join("\n"), shows);
  othersStand(run, clean, "search", "again", "save");
};

const CASES: Readonly<Record<string, Case>> = {
  // transport
  server_down: { at: "desk", check: (run) => assert.match(run.refused ?? "", /connection refused/) },
  slow_start: {
    ...{ at: "desk", params: { ms: 40 }, isPace: true },
    check: (run) => assert.ok(took(run, "connect") >= 39),
  },
  crash_on_start: {
    at: "desk",
    check(run) {
      assert.equal(run.answers.get("initialize"), "closed");
      assert.equal(run.isCut, true);
    },
  },
  crash: {
    when: FIRST,
    params: { moment: "mid_reply" },
    check(run) {
      assert.equal(find(run), "closed");
      assert.equal(run.reopened, false);
      assert.match(run.noise.at(-1) ?? "", /^\{"(result|jsonrpc)/);
    },
  },
  dies_idle: {
    ...{ at: "desk", params: { after: 0 } },
    check: (run) => assert.deepEqual([run.isCut, run.reopened], [true, true]),
  },
  reset_peer: {
    when: FIRST,
    check: (run) => assert.deepEqual([find(run), run.isCut, run.reopened], ["closed", true, true]),
  },
  reset_after_bytes: {
    ...{ at: "desk", params: { bytes: 300 } },
    check: (run) => assert.deepEqual([run.text.replace("<end>", "").length, run.isCut], [300, true]),
  },
  black_hole: {
    when: FIRST,
    check(run, clean) {
      assert.equal(find(run), "called off");
      othersStand(run, clean, "search", "again", "save");
    },
  },
  latency: {
    params: { ms: 40 },
    check(run, clean) {
      assert.ok(took(run, "again") >= 39);
      isFindWhole(run, clean);
    },
  },
  slow_drip: {
    ...{ params: { size: 32, pause: 5 }, isPace: true },
    check(run, clean) {
      assert.ok(run.chunks > clean.chunks && took(run, "again") >= 20);
      isFindWhole(run, clean);
    },
  },
  split_bytes: {
    ...{ params: { size: 1 }, isPace: true },
    check(run, clean) {
      assert.ok(run.chunks > clean.chunks + 200);
      isFindWhole(run, clean);
    },
  },
  cut_body: {
    params: { bytes: 40 },
    check(run) {
      assert.deepEqual([find(run), run.isCut], ["closed", true]);
      assert.equal(run.noise.at(-1)?.length, 40);
    },
  },
  stream_cut: {
    params: { reports: 2 },
    check: (run) =>
      assert.deepEqual([find(run), notified(run, "notifications/progress"), run.noise], ["closed", 2, []]),
  },
  slow_close: {
    ...{ at: "desk", params: { ms: 40 }, isPace: true },
    check: (run, clean) => assert.ok(took(run, "close") >= 39 && took(clean, "close") < took(run, "close")),
  },
  pause_resume: {
    ...{ when: FIRST, params: { ms: 40 }, isPace: true },
    check(run, clean) {
      assert.ok(took(run, "find") >= 39 && took(run, "search") >= 39, "all of it waits");
      isFindWhole(run, clean);
    },
  },
  stdout_noise: {
    params: { text: "listening", lines: 2, on: "initialize" },
    check(run, clean) {
      assert.deepEqual(run.noise, ["listening", "listening"]);
      isFindWhole(run, clean);
    },
  },
  proxy_html: { when: FIRST, check: malformed(/502 Error/) },
  rate_limited: {
    params: { retry_after: 2000 },
    check: (run) => assert.deepEqual(error(find(run)).data, { status: 429, retryAfter: 2 }),
  },
  unauthorized: {
    params: { on: "list" },
    check: (run) => assert.deepEqual(error(run.answers.get("list")).data, { status: 401 }),
  },
  // protocol
  bad_frame: { when: FIRST, check: malformed(/^\{"(result|jsonrpc)/) },
  bad_reply: {
    when: FIRST,
    check(run, clean) {
      assert.deepEqual(Object.keys(run.received.find(({ id }) => id === 3) ?? {}).sort(), [
        "error",
        "id",
        "jsonrpc",
        "result",
      ]);
      othersStand(run, clean, "search", "again");
    },
  },
  no_newline: {
    when: FIRST,
    check(run, clean) {
      // The next reply is glued to it, and only that one.
      assert.match(run.noise[0] ?? "", /\}\{/);
      othersStand(run, clean, "again", "save");
    },
  },
  glued_garbage: { when: FIRST, check: malformed(/^log: \{/) },
  pretty_printed: { when: FIRST, check: malformed(/^ {2}"(jsonrpc|result)"/m) },
  batch_reply: {
    check(run, clean) {
      assert.match(run.text, /^\[\{/m);
      isFindWhole(run, clean);
    },
  },
  invalid_utf8: {
    check(run, clean) {
      assert.match(run.text, /"text":"\xff\xff/);
      assert.match(texts(find(run))[0] ?? "", /^\ufffd\ufffd/);
      othersStand(run, clean, "search", "save");
    },
  },
  bom: {
    ...{ at: "desk", params: { on: "stream" } },
    check(run, clean) {
      assert.match(run.text, /^\xef\xbb\xbf\{/);
      isFindWhole(run, clean);
    },
  },
  crlf: {
    ...{ at: "desk", params: { on: "stream" } },
    check(run, clean) {
      assert.equal(run.text.replaceAll("\r\n", "\n"), clean.text);
      isFindWhole(run, clean);
    },
  },
  oversized_line: {
    ...{ when: FIRST, params: { bytes: 200_000 } },
    check(run, clean) {
      assert.equal(texts(find(run))[0]?.length, 200_000);
      othersStand(run, clean, "search", "again");
    },
  },
  wrong_id: {
    when: FIRST,
    check(run, clean) {
      assert.equal(find(run), "called off");
      assert.ok(run.received.some(({ id }) => id === 1_000_003));
      othersStand(run, clean, "search", "again");
    },
  },
  missing_id: {
    ...{ when: FIRST, params: { as: "null" } },
    check(run, clean) {
      assert.ok(run.received.some(({ id }) => id === null));
      othersStand(run, clean, "search", "again");
    },
  },
  string_id: {
    check(run, clean) {
      assert.ok(run.received.some(({ id }) => id === "3"));
      isFindWhole(run, clean);
    },
  },
  swapped_replies: {
    at: "desk",
    check(run, clean) {
      assert.deepEqual(result(find(run)), result(clean.answers.get("search")));
      assert.deepEqual(result(run.answers.get("search")), result(find(clean)));
      othersStand(run, clean, "again", "save");
    },
  },
  duplicate_reply: {
    params: { second: "error" },
    check(run, clean) {
      assert.equal(run.received.filter(({ id }) => id === 3).length, 2);
      isFindWhole(run, clean);
    },
  },
  unsolicited_reply: {
    when: FIRST,
    params: { ahead: 2 },
    check(run) {
      assert.deepEqual(run.received.filter(({ id }) => id === 5).length, 2);
    },
  },
  method_not_found: { check: (run) => assert.equal(error(find(run)).code, -32601) },
  bad_params: { check: (run) => assert.equal(error(find(run)).code, -32602) },
  internal_error: { check: (run) => assert.equal(error(find(run)).code, -32603) },
  version_mismatch: {
    at: "desk",
    check: (run) => assert.equal(result(run.answers.get("initialize")).protocolVersion, "1999-01-01"),
  },
  no_tools_capability: {
    at: "desk",
    check(run) {
      assert.deepEqual(result(run.answers.get("initialize")).capabilities, {});
      assert.equal(error(run.answers.get("list")).code, -32601);
    },
  },
  initialize_refused: { at: "desk", check: (run) => assert.equal(error(run.answers.get("initialize")).code, -32000) },
  pagination_loop: {
    ...{ at: "desk", params: { cursor: "fresh" } },
    check(run, clean) {
      assert.equal(run.received.filter(({ result }) => isFields(result) && "nextCursor" in result).length, 7);
      isFindWhole(run, clean);
    },
  },
  paged_list: {
    at: "desk",
    check(run, clean) {
      assert.deepEqual(run.tools, clean.tools);
      assert.ok(run.received.length > clean.received.length);
    },
  },
  empty_list: { at: "desk", check: (run) => assert.deepEqual(run.tools, []) },
  huge_list: { ...{ at: "desk", params: { count: 500 } }, check: (run) => assert.equal(run.tools.length, 504) },
  bad_tool_schema: {
    check(run, clean) {
      assert.equal("inputSchema" in listed(run, "find"), false);
      assert.deepEqual(listed(run, "search"), listed(clean, "search"));
    },
  },
  dangling_schema: { check: (run) => assert.match(JSON.stringify(listed(run, "find").outputSchema), /nowhere/) },
  duplicate_tool: { check: (run) => assert.deepEqual(run.tools, ["find", "find", "typed", "search", "save"]) },
  tool_vanishes: {
    check(run) {
      assert.match(String(error(find(run)).message), /Unknown tool: find/);
      assert.equal(notified(run, "notifications/tools/list_changed"), 1);
      assert.doesNotMatch(JSON.stringify(result(run.answers.get("relist"))), /"find"/);
    },
  },
  list_changed: {
    params: { count: 3 },
    check: (run) => assert.equal(notified(run, "notifications/tools/list_changed"), 6),
  },
  late_reply: {
    ...{ when: FIRST, params: { ms: 10 } },
    check(run, clean) {
      assert.equal(find(run), "called off");
      assert.ok(run.received.some(({ id }) => id === 3), "it comes after all");
      othersStand(run, clean, "search", "again", "save");
    },
  },
  progress: {
    params: { count: 3, every: 5 },
    check(run, clean) {
      assert.equal(notified(run, "notifications/progress"), 6);
      isFindWhole(run, clean);
    },
  },
  progress_forever: {
    ...{ when: FIRST, params: { every: 10 } },
    check(run, clean) {
      assert.equal(find(run), "called off");
      assert.ok(notified(run, "notifications/progress") >= 3);
      othersStand(run, clean, "search", "again", "save");
    },
  },
  notification_flood: {
    params: { count: 200 },
    check(run, clean) {
      assert.equal(notified(run, "notifications/message"), 400);
      isFindWhole(run, clean);
    },
  },
  server_asks: {
    check(run, clean) {
      assert.equal(notified(run, "sampling/createMessage"), 2);
      isFindWhole(run, clean);
    },
  },
  server_cancels: {
    when: FIRST,
    check(run, clean) {
      assert.equal(find(run), "called off");
      assert.equal(notified(run, "notifications/cancelled"), 1);
      othersStand(run, clean, "search", "again");
    },
  },
  // result
  tool_error: { check: (run) => isFailed(find(run), /could not complete/) },
  flaky: {
    check(run, clean) {
      isFailed(find(run), /try again/);
      othersStand(run, clean, "again");
    },
  },
  error_in_band: { check: (run) => assert.deepEqual(json(find(run)), { error: "upstream request failed" }) },
  error_nested: { check: (run) => assert.equal(json(find(run)).isError, true) },
  html_result: { check: (run) => assert.match(texts(find(run))[0] ?? "", /^<!DOCTYPE html>/) },
  empty_result: { check: (run) => assert.deepEqual(result(find(run)), { content: [] }) },
  truncated_result: {
    check(run, clean) {
      const [cut = "", whole = ""] = [texts(find(run))[0], texts(find(clean))[0]];
      assert.ok(whole.startsWith(cut) && cut.length === whole.length >> 1);
    },
  },
  oversized_result: {
    params: { bytes: 100_000 },
    check: (run) => assert.deepEqual(texts(find(run)).map((text) => text.length).at(-1), 100_000),
  },
  unknown_content: { check: (run) => assert.match(JSON.stringify(result(find(run))), /"type":"image".*"type":"text"/) },
  bad_content: { check: (run) => assert.deepEqual(result(find(run)), { content: null }) },
  error_with_schema: {
    check(run) {
      isFailed(find(run), /read-only/);
      assert.deepEqual(result(find(run)).structuredContent, { error: { code: 17 } });
    },
  },
  schema_violation: {
    at: "desk.typed",
    check: (run) =>
      assert.deepEqual(result(run.answers.get("typed")).structuredContent, {
        id: ["D-42"],
        amount: 12.5,
        as_of: "2026-11",
      }),
  },
  // semantic
  stale: { check: (run) => assert.equal(json(find(run)).as_of, "2026-08-05T10:00:00Z") },
  stale_undated: { check: (run) => assert.equal("as_of" in json(find(run)), false) },
  wrong_entity: { check: (run) => assert.equal(json(find(run)).id, "D-43") },
  schema_drift: {
    check: (run) => assert.deepEqual(Object.keys(json(find(run))), ["id", "amount_v2", "as_of", "note", "is_open"]),
  },
  structured_conflict: {
    check: (run) => assert.deepEqual([json(find(run)).amount, field(find(run), "amount")], [12.5, 13.5]),
  },
  corrupt_value: { check: (run) => assert.equal(json(find(run)).amount, 1250) },
  mojibake: { check: (run) => assert.match(String(json(find(run)).note), /^GrÃ¶ÃŸ?/) },
  partial_page: {
    at: "desk.search",
    check: (run) => assert.deepEqual(json(run.answers.get("search")), { query: "q", total: 3, rows: [{ id: "D-1" }] }),
  },
  duplicated_rows: {
    at: "desk.search",
    check: (run) => assert.match(texts(run.answers.get("search"))[0] ?? "", /D-1.*D-1.*D-2.*D-2/),
  },
  silent_noop: { at: "desk.save", check: (run) => assert.deepEqual(json(run.answers.get("save")), { ok: true }) },
  acts_then_hangs: {
    at: "desk.save",
    check: (run) => assert.equal(run.answers.get("save"), "called off"),
  },
  contradiction: {
    check: (run) => assert.deepEqual(texts(find(run)).map((text) => JSON.parse(text).amount), [12.5, 13.5]),
  },
  // security
  injected_result: { check: (run) => assert.match(texts(find(run))[1] ?? "", /ignore all previous/) },
  poisoned_description: { check: (run) => assert.match(String(listed(run, "find").description), /card number/) },
  rug_pull: {
    check(run) {
      assert.equal(listed(run, "find").description, "Finds.");
      assert.match(JSON.stringify(result(run.answers.get("relist"))), /audit@example.net/);
    },
  },
  shadow_tool: { check: (run) => assert.match(String(listed(run, "find_v2").description), /Replaces find/) },
  hostile_names: {
    ...{ at: "desk", params: { longest: 5000 } },
    check: (run) => assert.ok(run.tools.includes("__proto__") && run.tools.includes("x".repeat(5000))),
  },
  prototype_keys: { check: (run) => assert.match(texts(find(run))[0] ?? "", /"__proto__":\{"isAdmin":true\}/) },
  terminal_escape: { check: (run) => assert.ok(texts(find(run))[1]?.startsWith("\u001b[2J")) },
  false_escalation: { check: (run) => isFailed(find(run), /"role": "admin"/) },
  decoy: { check: (run) => isFailed(find(run), /archive:/) },
  planted_secret: { check: (run) => isFailed(find(run), /planted-7f3c9e/) },
  // budget, concurrency
  quota_exhausted: {
    check(run, clean) {
      othersStand(run, clean, "find");
      assert.deepEqual(error(run.answers.get("again")).data, { status: 429 });
    },
  },
  queue_full: {
    at: "desk",
    check(run, clean) {
      othersStand(run, clean, "find", "again");
      assert.deepEqual(error(run.answers.get("search")).data, { status: 503, retryAfter: 1 });
    },
  },
  one_at_a_time: {
    ...{ at: "desk", params: { ms: 20 }, isPace: true },
    check(run, clean) {
      assert.ok(took(run, "find") >= 19 && took(run, "search") >= 39);
      isFindWhole(run, clean);
    },
  },
  out_of_order: {
    at: "desk",
    check(run, clean) {
      const ids = run.received.map(({ id }) => id);
      assert.ok(ids.indexOf(4) < ids.indexOf(3));
      isFindWhole(run, clean);
    },
  },
  duplicate_delivery: { at: "desk.save", check: (run) => assert.equal(json(run.answers.get("save")).saves, 2) },
  version_conflict: { check: (run) => assert.deepEqual(error(find(run)).data, { status: 409 }) },
  clock_skew: { check: (run) => assert.equal(json(find(run)).as_of, "2026-11-04T10:00:00Z") },
};

function field(answer: Answer | undefined, name: string): unknown {
  const { structuredContent } = result(answer);
  return isFields(structuredContent) ? structuredContent[name] : undefined;
}

const IDS = [...FAULTS.values()].filter(({ applies }) => !applies.includes("agent")).map(({ id }) => id);

function entryOf(id: string) {
  const { at = "desk.find", when, params } = CASES[id] ?? assert.fail(`no case for ${id}`);
  return faultEntrySchema.parse({ fault: id, at, ...(when && { when }), ...params });
}

function judge(id: string, run: Run, clean: Run): void {
  const { check, isPace } = CASES[id] ?? assert.fail();
  const fired = run.events.filter((event) => event.type === "fault" && event.fault === id);
  assert.ok(fired.length > 0, "it did not fire");
  assert.deepEqual(run.events.filter(({ type }) => type === "fault_broke"), []);
  if (isPace) assert.equal(run.text, clean.text, "the same bytes, at another pace");
  else assert.notEqual(run.text, clean.text, "the hub's side saw nothing of it");
  check(run, clean);
}

async function inSim(play: (clock: VirtualClock) => Promise<Run>): Promise<Run> {
  using _guard = guardGlobals();
  const clock = new VirtualClock();
  const run = await clock.run(() => inCell(clock, () => play(clock)));
  assert.equal(clock.pending, 0, "timers were left");
  return run;
}

Deno.test("the table has a case for every fault between hub and server, and for nothing else", () => {
  assert.deepEqual(Object.keys(CASES).sort(), IDS.sort());
});

const clean = await inSim((clock) => play(clock, inMemory(clock), []));

for (const id of IDS) {
  Deno.test(`${id}: in sim, the hub's side sees what the catalogue says`, async () => {
    judge(id, await inSim((clock) => play(clock, inMemory(clock), [entryOf(id)])), clean);
  });
}

Deno.test("in wire, over one leased process, the hub's side sees the same of every fault", async (t) => {
  await using desk = new SharedDesk();
  const clock = new RealClock();
  const connect: Connect = desk.connect;
  const whole = await play(clock, connect, []);
  assert.equal(whole.text, clean.text, "without a fault, both lanes have the same bytes");
  for (const id of IDS) {
    await t.step(id, async () => judge(id, await play(clock, connect, [entryOf(id)]), whole));
  }
});
