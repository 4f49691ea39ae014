import assert from "node:assert/strict";
import type { Shown } from "../../agents/mod.ts";
import { FAILURES, type Strategy } from "../../core/mod.ts";
import { cellSpec, runOne, scenariosNamed } from "../testing/cells.ts";
import { showingOnly } from "../testing/hide.ts";
import { testReds } from "../testing/red.ts";
import { doubler, forgetful, ghost, omitter, secretlySerial, serial } from "../testing/subjects.ts";
import type { Trace } from "../trace/event.ts";
import { scoreTrace } from "./score.ts";

testReds([
  {
    name: "scorePlan() finds a task that was left out",
    subject: omitter,
    scenario: "healthy-desk",
    red: ["fail plan.nodes", "fail plan.coverage:comms", "error run.script", "fail says:kb.search_kb:5 business days"],
    says: {
      "plan.coverage:comms": /no packet covers it, and the answer does not say/,
      "plan.nodes": /^missing: comms$/,
      "run.script": /2 of comms's 2 scripted turns were never asked for/,
    },
  },
  {
    name: "scorePlan() finds a task that nobody needs",
    subject: doubler,
    scenario: "healthy-desk",
    red: [
      "fail plan.nodes",
      "error run.script",
      "fail answer.status",
      "fail disclosure.false_alarm",
      "fail never:failed",
      "fail never:incomplete",
      "fail says:kb.search_kb:5 business days",
    ],
    says: { "plan.nodes": /^not in the gold plan: again$/ },
  },
  {
    name: "scorePlan() finds a dependency that is none",
    subject: serial,
    scenario: "healthy-desk",
    red: ["fail plan.edges", "fail plan.serialised"],
    says: {
      "plan.serialised": /^billing and policy do not need each other, and ran one after the other; /,
      "plan.edges": /^not in the gold plan: billing -> policy, policy -> comms$/,
    },
  },
  {
    name: "scorePlan() finds independent work that was done one after another, whatever its packets say",
    subject: secretlySerial,
    scenario: "healthy-desk",
    red: ["fail plan.parallel", "fail plan.serialised", "fail isolation.canaries", "fail isolation.siblings"],
    says: {
      "plan.parallel": /dispatched in 3 supersteps/,
      "isolation.siblings": /policy was sent a sibling's report/,
    },
  },
  {
    name: "scorePlan() finds a fact that the packet does not carry",
    subject: forgetful,
    scenario: "broken-policy-server",
    red: ["fail plan.facts:billing.order_id"],
    says: { "plan.facts:billing.order_id": /carries order_id = nothing, expected "12345"/ },
  },
  {
    name: "scorePlan() finds work that no packet accounts for",
    subject: ghost,
    scenario: "broken-policy-server",
    red: ["fail plan.packets", "fail plan.nodes", "fail plan.facts:billing.order_id"],
    says: { "plan.packets": /billing's model was asked \(run\/s2\/billing\/step1\) without a packet for it/ },
  },
]);

/** What the checks of a kind come to, in a run of the reference that is told, or hidden, like this. */
function come(trace: Trace, kind: string): string[] {
  return scoreTrace(trace).checks.filter(({ id }) => id.startsWith(kind)).map(({ id, outcome }) => `${outcome} ${id}`);
}

async function traceOf(name: string): Promise<Trace> {
  const [scenario] = await scenariosNamed(name);
  assert.ok(scenario, name);
  return (await runOne(cellSpec(scenario))).trace;
}

Deno.test("scoreCoverage() lets a part be left out that the answer says was left out, and no other", async () => {
  const trace = await traceOf("healthy-desk/all-faults.under_decomposed");
  assert.deepEqual(come(trace, "plan.coverage"), [
    "pass plan.coverage:billing",
    "pass plan.coverage:policy",
    "pass plan.coverage:comms",
  ]);
  const said = (text: string, shows: readonly Shown[] = []) =>
    come(showingOnly(trace, shows, text), "plan.coverage:comms")[0];
  const rest = "There are two charges of $129.00 on order 12345, and duplicates are refunded within 5 business days.";
  for (const shows of [[], ["packets"], ["agents"]] as const) {
    assert.equal(said(rest, shows), "fail plan.coverage:comms", shows.join());
    for (
      const words of [
        "What to tell the customer was left out: comms was not asked.",
        "I did not look into the customer-facing wording.",
        "comms: not started.",
      ]
    ) assert.equal(said(`${rest} ${words}`, shows), "pass plan.coverage:comms", `${shows.join()} ${words}`);
  }
});

Deno.test("scoreCoverage() takes what the script's own planner leaves out for a part, but not the tasks of the crew's plan", async () => {
  const [scenario] = await scenariosNamed("healthy-desk/all-faults.latency");
  assert.ok(scenario);
  const say = (text: string) => ({ ...scenario, script: { ...scenario.script, planner: [{ say: text }] } });
  const plan = JSON.parse(scenario.script["planner"]?.[0]?.say ?? "");
  const told = async (tasks: (task: { id: string }) => boolean, parts?: unknown) => {
    const text = JSON.stringify({ ...(parts === undefined ? {} : { parts }), tasks: plan.tasks.filter(tasks) });
    return come((await runOne(cellSpec(say(text)))).trace, "plan.coverage");
  };
  const rest = ["pass plan.coverage:billing", "pass plan.coverage:policy"];
  assert.deepEqual(await told(() => true), [...rest, "pass plan.coverage:comms"]);
  assert.deepEqual(await told(({ id }) => id !== "comms"), [...rest, "fail plan.coverage:comms"]);
  assert.deepEqual(
    await told(({ id }) => id !== "comms", plan.parts),
    [...rest, "pass plan.coverage:comms"],
    "whoever lists it as a part that nobody works on has it told",
  );
  const own = await traceOf("planner-has-nothing-usable");
  assert.deepEqual(own.scenario.expect?.plan?.nodes, ["fallback1"]);
  assert.deepEqual(come(own, "plan.coverage"), []);
});

Deno.test("scoreCoverage() judges a stranger by calls: a tool that is for one part alone shows that somebody worked on it", async () => {
  const trace = await traceOf("healthy-desk");
  assert.deepEqual(come(showingOnly(trace, [], "Done."), "plan.coverage"), [
    "pass plan.coverage:billing",
    "pass plan.coverage:policy",
    "pass plan.coverage:comms",
  ]);
  const hidden = {
    ...trace,
    scenario: { ...trace.scenario, script: { planner: trace.scenario.script["planner"] ?? [] } },
  };
  const [first] = scoreTrace(showingOnly(hidden, [], "Done.")).checks.filter(({ id }) =>
    id.startsWith("plan.coverage")
  );
  assert.deepEqual([first?.outcome, first?.declared], ["untestable", true]);
});

Deno.test("scoreCoverage() takes a task under another name for the part that it is", async () => {
  const trace = await traceOf("healthy-desk");
  const events = trace.events.map((event) => {
    const { packet } = event.detail;
    return event.type === "packet" && typeof packet === "object" && packet !== null && !Array.isArray(packet)
      ? { ...event, detail: { ...event.detail, packet: { ...packet, id: `${packet["id"]}-1` } } }
      : event;
  });
  assert.ok(come({ ...trace, events }, "plan.coverage").every((one) => one.startsWith("pass")));
});

Deno.test("scoreSerialised() holds an order against nobody whose planner asked for it", async () => {
  const trace = await traceOf("healthy-desk/all-faults.serialised_plan");
  assert.deepEqual(come(trace, "plan.serialised"), ["pass plan.serialised"]);
  const events = trace.events.map((event) =>
    event.side === "world" && event.type === "model.turn" && event.detail["agent"] === "planner"
      ? { ...event, detail: { ...event.detail, text: "no plan" } }
      : event
  );
  assert.deepEqual(come({ ...trace, events }, "plan.serialised"), ["fail plan.serialised"]);
});

Deno.test("scoreTried() demands no more than the crew's route, its limits and its people have", async () => {
  const trace = await traceOf("healthy-desk/all-faults.model_http_error");
  assert.deepEqual(come(trace, "recovery.tried"), ["pass recovery.tried"]);
  // The same with one attempt, as if nobody had tried again.
  const first = trace.events.find(({ side, type }) => side === "subject" && type === "route");
  const once = trace.events.filter(({ side, type, detail: { packet } }) =>
    !(side === "subject" && type === "route") &&
    !(type === "packet" && JSON.stringify(packet).includes('"attempt":2'))
  ).map((event, seq) => ({ ...event, seq }));
  assert.ok(first);
  assert.deepEqual(come({ ...trace, events: once }, "recovery.tried"), ["fail recovery.tried"]);
  const strict = { ...trace.crew, recovery: { maxPerPacket: 0, maxPerRun: 0, backoffMs: 0 } };
  assert.deepEqual(come({ ...trace, crew: strict, events: once }, "recovery.tried"), ["pass recovery.tried"]);
});

Deno.test("scoreTried() demands nothing that the route has behind what stood in", async () => {
  const [scenario] = await scenariosNamed("broken-policy-server");
  assert.ok(scenario);
  const routes = (...route: Strategy[]) =>
    Object.fromEntries(Object.keys(FAILURES).map((code) => [code, [...route, "disclose"]]));
  const changed = {
    ...scenario,
    operator: { approvals: [], takeovers: {} },
    crew_overrides: { routes: routes("fallback", "escalate") },
  };
  const { trace } = await runOne(cellSpec(changed));
  assert.ok(trace.events.some(({ type, detail }) => type === "route" && detail["strategy"] === "fallback"));
  assert.deepEqual(come(trace, "recovery.tried"), ["pass recovery.tried"]);
  // The other way round the operator comes first.
  const turned = { ...trace, crew: { ...trace.crew, routes: routes("escalate", "fallback") } };
  assert.deepEqual(come(turned, "recovery.tried"), ["fail recovery.tried"]);
});
