import assert from "node:assert/strict";
import { CodedError, sleep, type VirtualClock } from "../../core/mod.ts";
import { Answer as AnswerSchema } from "../contracts.ts";
import type { Crew } from "../crews/crew.ts";
import type { ToolHub } from "../hub/mod.ts";
import { abortAt, after, countingSignal, FakeModel, hang, type Move, recording, say, sim, use } from "../testing.ts";
import type { Answer } from "../types.ts";
import { supervise } from "./supervisor.ts";
import { answeringHub, CREW, task, written } from "./testing.ts";

const TOOLS: Readonly<Record<string, string>> = { billing: "orders.find", policy: "policy.find", comms: "kb.find" };

/** What a healthy specialist does. */
const works = (worker: string): Move[] => [use(TOOLS[worker] ?? ""), say(`Found by ${worker}.`)];
const TEAM = { billing: works("billing"), policy: works("policy"), comms: works("comms") };
const THREE = written(task("billing"), task("policy"), task("comms"));

interface Setup {
  readonly crew?: Partial<Crew>;
  readonly signal?: AbortSignal;
  readonly down?: readonly string[];
  readonly hub?: ToolHub;
}

async function run(clock: VirtualClock, moves: Record<string, readonly Move[]>, setup: Setup = {}) {
  const { crew, signal = new AbortController().signal, down = [] } = setup;
  const model = new FakeModel({ planner: [say(THREE)], ...TEAM, ...moves });
  const { emit, events } = recording();
  const world = { crew: { ...CREW, ...crew }, model, hub: setup.hub ?? answeringHub(down), clock, emit, signal };
  const answer = await supervise("What happened?", world);
  assert.deepEqual(AnswerSchema.parse(answer), answer);
  const told = events.filter(({ type }) => type === "answer");
  assert.deepEqual(told.map(({ detail }) => detail), [{ answer }], "the answer is told once, as it is");
  const count = events.length;
  return { answer, model, events, late: () => events.length - count };
}

const failures = ({ failures }: Answer) => failures.map(({ specialist, code }) => `${specialist} ${code}`);
const sections = ({ sections }: Answer) => sections.map(({ worker }) => worker);

Deno.test("supervise() answers in the plan's order, whoever was first", () =>
  sim(async (clock) => {
    const { answer } = await run(clock, {
      billing: [after(clock, 300, use("orders.find")), say("Found by billing.")],
      policy: [after(clock, 100, use("policy.find")), say("Found by policy.")],
    });
    assert.equal(answer.status, "complete");
    assert.equal(answer.text, "[billing] Found by billing.\n[policy] Found by policy.\n[comms] Found by comms.");
    assert.equal(clock.now(), 300);
  }));

Deno.test("supervise() sends all packets in one superstep, each with its own tools and nothing of the others", () =>
  sim(async (clock) => {
    const { model, events } = await run(clock, {});
    const packets = events.filter(({ type }) => type === "packet");
    assert.deepEqual(packets.map(({ span }) => span), ["run/s2/billing", "run/s2/policy", "run/s2/comms"]);
    for (const worker of ["billing", "policy", "comms"]) {
      const [first, second] = model.of(worker);
      assert.deepEqual(first?.tools.map(({ name }) => name), [TOOLS[worker]]);
      const seen = JSON.stringify([first?.messages, second?.messages]);
      assert.doesNotMatch(seen, /What happened/);
      for (const other of ["billing", "policy", "comms"]) {
        if (other !== worker) assert.ok(!seen.includes(other), `${worker} sees something of ${other}`);
      }
    }
    assert.deepEqual(events.filter(({ type }) => type === "superstep.start").map(({ detail }) => detail["tasks"]), [
      ["plan"],
      ["billing", "policy", "comms"],
      ["collect"],
      ["verify"],
      ["route"],
      ["synthesize"],
    ]);
  }));

Deno.test("supervise() loses nothing to a worker that hangs: it costs its own deadline and no more", () =>
  sim(async (clock) => {
    const { answer, events } = await run(clock, {
      policy: [hang],
      billing: [after(clock, 200, use("orders.find")), say("Found by billing.")],
    });
    assert.equal(clock.now(), 1000);
    assert.deepEqual(failures(answer), ["policy timeout"]);
    assert.deepEqual(sections(answer), ["billing", "policy", "comms"]);
    assert.deepEqual(answer.sections[1]?.provenance.kind, "cached");
    const ends = events.filter(({ type }) => type === "report").map(({ detail }) => {
      const { report } = detail;
      return typeof report === "object" && report !== null && !Array.isArray(report) ? report["endedAt"] : undefined;
    });
    assert.deepEqual(ends, [0, 200, 1000, 1000]);
  }));

Deno.test("supervise() names every specialist that failed when all of them do", () =>
  sim(async (clock) => {
    const broken = new CodedError("unauthorized", "bad key");
    const { answer } = await run(clock, { billing: [broken], policy: [broken], comms: [hang] }, {
      crew: { fallbacks: [] },
    });
    assert.equal(answer.status, "failed");
    assert.deepEqual(failures(answer), ["billing unauthorized", "policy unauthorized", "comms timeout"]);
  }));

Deno.test("supervise() survives whatever a model throws", () =>
  sim(async (clock) => {
    const hostile = new Proxy(Object.create(null), {
      get: () => {
        throw new Error("do not look");
      },
    });
    for (const thrown of [undefined, null, "text", 7, Symbol("s"), hostile]) {
      const { answer } = await run(clock, {
        billing: [() => {
          throw thrown;
        }],
      });
      assert.deepEqual(failures(answer), ["billing internal"]);
      assert.equal(answer.status, "degraded");
    }
  }));

Deno.test("supervise() goes around a server that is down, and the planner has been told", () =>
  sim(async (clock) => {
    const { answer, model } = await run(clock, { policy: [] }, { down: ["policy"] });
    assert.deepEqual(failures(answer), ["policy server_down"]);
    assert.match(model.of("planner")[0]?.messages[0]?.text ?? "", /Servers that are down: policy/);
    assert.equal(model.of("policy").length, 0);
  }));

Deno.test("supervise() gives a task the notes that it depends on, one round later", () =>
  sim(async (clock) => {
    const plan = written(task("comms", "comms", { dependsOn: ["billing"] }), task("billing"));
    const { answer, model, events } = await run(clock, { planner: [say(plan)] });
    assert.equal(answer.status, "complete");
    assert.deepEqual(sections(answer), ["comms", "billing"]);
    assert.match(model.of("comms")[0]?.messages[0]?.text ?? "", /^- from billing: "Found by billing\."$/m);
    const packets = events.filter(({ type }) => type === "packet").map(({ span }) => span);
    assert.deepEqual(packets, ["run/s2/billing", "run/s6/comms"]);
  }));

Deno.test("supervise() starts nothing that waits for what came to nothing, and says so of all of it", () =>
  sim(async (clock) => {
    const plan = written(
      task("a", "billing"),
      task("b", "policy", { dependsOn: ["a"] }),
      task("c", "comms", { dependsOn: ["b"] }),
      task("d", "comms"),
    );
    const { answer, model } = await run(clock, {
      planner: [say(plan)],
      billing: [new CodedError("unauthorized", "bad key")],
    });
    assert.deepEqual(failures(answer), ["billing unauthorized", "policy not_started", "comms not_started"]);
    assert.deepEqual(sections(answer), ["comms"]);
    assert.equal(model.of("policy").length, 0);
    assert.match(answer.text, /comms specialist failed \(not_started\).*Reason: it needs b, which came to nothing/);
  }));

Deno.test("supervise() names a specialist that does not exist, and what depended on it, and runs the rest", () =>
  sim(async (clock) => {
    const plan = written(task("t1", "poet"), task("billing"), task("t3", "comms", { dependsOn: ["t1"] }));
    const { answer } = await run(clock, { planner: [say(plan)] });
    assert.equal(answer.status, "degraded");
    assert.deepEqual(sections(answer), ["billing"]);
    assert.deepEqual(failures(answer), ["poet unknown_specialist", "comms not_started"]);
  }));

Deno.test("supervise() asks the planner once more with what was wrong, and says nothing of it where that helps", () =>
  sim(async (clock) => {
    const { answer, model } = await run(clock, { planner: [say('{"tasks": ['), say(THREE)] });
    assert.equal(answer.status, "complete");
    assert.match(model.of("planner")[1]?.messages.at(-1)?.text ?? "", /^That reply cannot be used: /);
  }));

Deno.test("supervise() falls back to the crew's plan after two bad replies, and discloses it", () =>
  sim(async (clock) => {
    const { answer, model } = await run(clock, { planner: [say("no"), say("still no"), say(THREE)] });
    assert.equal(model.of("planner").length, 2);
    assert.equal(answer.status, "degraded");
    assert.deepEqual(failures(answer), ["planner plan_malformed"]);
    assert.deepEqual(sections(answer), ["comms"]);
    assert.match(answer.text, /fixed fallback plan was used/);
  }));

Deno.test("supervise() does not ask again where asking again cannot help", () =>
  sim(async (clock) => {
    const cases: [Move, string[]][] = [
      [say("I cannot help.", "refusal"), ["planner refused"]],
      [new CodedError("unauthorized", "bad key"), ["planner unauthorized"]],
      [say(written(task("t1", "poet"))), ["planner unknown_specialist", "poet unknown_specialist"]],
    ];
    for (const [move, named] of cases) {
      const { answer, model } = await run(clock, { planner: [move, say(THREE)] });
      assert.equal(model.of("planner").length, 1);
      assert.deepEqual(failures(answer), named);
      assert.deepEqual(sections(answer), ["comms"]);
    }
  }));

Deno.test("supervise() claims no fallback plan where the crew has none", () =>
  sim(async (clock) => {
    const { answer } = await run(clock, { planner: [say("no"), say("no")] }, { crew: { fallbackPlan: [] } });
    assert.equal(answer.status, "failed");
    assert.deepEqual(failures(answer), ["planner plan_malformed"]);
    assert.match(answer.text, /there was no plan to work by, so nothing was done/);
  }));

Deno.test("supervise() names all that is missing when its deadline passes", () =>
  sim(async (clock) => {
    const plan = written(task("billing"), task("policy"), task("c", "comms", { dependsOn: ["policy"] }));
    const { answer, events, late } = await run(clock, { planner: [say(plan)], policy: [hang] }, {
      crew: { deadlineMs: 500 },
    });
    assert.equal(clock.now(), 500);
    assert.equal(answer.status, "degraded");
    assert.deepEqual(failures(answer), ["policy timeout", "comms not_started"]);
    assert.deepEqual(sections(answer), ["billing"]);
    assert.match(answer.text, /not_started\).*Reason: the run's 500 ms were over/);
    await sleep(clock, 5000);
    assert.equal(late(), 0, "a worker that was cut off says nothing after the answer");
    const reports = events.filter(({ type }) => type === "report");
    assert.deepEqual(reports.map(({ span }) => span), ["run/s2/billing"], "nor does it report");
  }));

Deno.test("supervise() tells nothing of a call that ends after the answer", () =>
  sim(async (clock) => {
    const hub: ToolHub = {
      ...answeringHub(),
      call: async () => {
        await sleep(clock, 3000); // deaf to its signal
        return { kind: "answered", text: "late" };
      },
    };
    const { answer, late } = await run(clock, {}, { hub, crew: { deadlineMs: 500 } });
    assert.equal(clock.now(), 500);
    assert.deepEqual(failures(answer), ["billing timeout", "policy timeout", "comms timeout"]);
    await sleep(clock, 5000);
    assert.equal(late(), 0);
  }));

Deno.test("supervise() answers that there is no plan when its time or its caller ends it before", () =>
  sim(async (clock) => {
    const over = await run(clock, { planner: [hang] }, { crew: { deadlineMs: 500 } });
    assert.deepEqual(failures(over.answer), ["planner timeout"]);
    const off = await run(clock, { planner: [hang] }, { signal: abortAt(clock, 50) });
    assert.deepEqual(failures(off.answer), ["planner cancelled"]);
    const before = await run(clock, {}, { signal: AbortSignal.abort() });
    assert.deepEqual(failures(before.answer), ["planner cancelled"]);
    assert.equal(before.model.requests.length, 0);
    for (const { answer } of [over, off, before]) {
      assert.equal(answer.status, "failed");
      assert.doesNotMatch(answer.text, /fallback plan/);
    }
  }));

Deno.test("supervise() keeps what was found when it is called off", () =>
  sim(async (clock) => {
    const { answer } = await run(clock, { policy: [hang] }, { signal: abortAt(clock, 100) });
    assert.equal(clock.now(), 100);
    assert.deepEqual(sections(answer), ["billing", "comms"]);
    assert.deepEqual(failures(answer), ["policy cancelled"]);
  }));

Deno.test("supervise() leaves no listener on the signal that it was given", () =>
  sim(async (clock) => {
    const { signal, listeners } = countingSignal();
    await run(clock, {}, { signal });
    await run(clock, { policy: [hang], planner: [say(THREE)] }, { signal });
    assert.equal(listeners(), 0);
  }));

Deno.test("supervise() lets one specialist have two tasks, and fail at one of them", () =>
  sim(async (clock) => {
    const plan = written(task("t1", "billing"), task("t2", "billing"));
    const turn: Move = ({ messages }) => {
      if (messages.length === 1) return use("orders.find");
      if (JSON.stringify(messages).includes("t2")) throw new CodedError("unauthorized", "bad key");
      return say("Found by billing.");
    };
    const { answer } = await run(clock, { planner: [say(plan)], billing: [turn, turn, turn, turn] });
    assert.deepEqual(sections(answer), ["billing"]);
    assert.deepEqual(failures(answer), ["billing unauthorized"]);
  }));

Deno.test("supervise() takes any id for a task", () =>
  sim(async (clock) => {
    const ids = ["collect", "constructor", "__proto__", "a/b", "worker", "worker#1", "plan", "t\n2", "%2F", " "];
    const plan = written(...ids.map((id) => task(id, "billing")));
    const billing: Move[] = [];
    const turn: Move = ({ messages }) => messages.length === 1 ? use("orders.find") : say("Found by billing.");
    for (let i = 0; i < ids.length * 2; i++) billing.push(turn);
    const { answer, events } = await run(clock, { planner: [say(plan)], billing });
    assert.equal(answer.status, "complete");
    assert.equal(answer.sections.length, ids.length);
    const spans = events.filter(({ type }) => type === "packet").map(({ span }) => span);
    assert.equal(new Set(spans).size, ids.length);
    assert.ok(spans.includes("run/s2/a%2Fb") && spans.includes("run/s2/%252F"));
    assert.ok(spans.every((span) => span.split("/").length === 3));
    // With a dependency and a fallback too, where ids are keys again.
    const chain = written(task("__proto__", "policy"), task("constructor", "billing", { dependsOn: ["__proto__"] }));
    const failing = await run(clock, { planner: [say(chain)], policy: [new CodedError("unauthorized", "bad key")] });
    assert.deepEqual(failures(failing.answer), ["policy unauthorized", "billing not_started"]);
    assert.deepEqual(sections(failing.answer), ["policy"]);
  }));

Deno.test("supervise() follows the crew's own routes", () =>
  sim(async (clock) => {
    const broken = { policy: [new CodedError("unauthorized", "bad key")] };
    const usual = await run(clock, broken);
    assert.deepEqual(sections(usual.answer), ["billing", "policy", "comms"]);
    const strict = await run(clock, broken, { crew: { routes: { unauthorized: ["disclose"] } } });
    assert.deepEqual(sections(strict.answer), ["billing", "comms"]);
    assert.deepEqual(failures(strict.answer), ["policy unauthorized"]);
  }));

Deno.test("supervise() tells what it does in events that nobody can change later", () =>
  sim(async (clock) => {
    const { events } = await run(clock, { policy: [new CodedError("unauthorized", "bad key")] });
    const types = [...new Set(events.map(({ type }) => type))].sort();
    assert.deepEqual(types, [
      "answer",
      "call.end",
      "call.start",
      "packet",
      "plan",
      "report",
      "route",
      "superstep.end",
      "superstep.start",
      "task.end",
      "task.start",
      "usage",
      "verify",
    ]);
    assert.deepEqual(events.find(({ type }) => type === "route")?.detail, {
      packetId: "policy",
      worker: "policy",
      code: "unauthorized",
      strategy: "fallback",
      attempt: 1,
      passed: [{ strategy: "reassign", because: "nobody stands in for it" }],
    });
  }));
