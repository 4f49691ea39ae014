import assert from "node:assert/strict";
import { CodedError, type FailureCode, Random, sleep, type Strategy, type VirtualClock } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import type { ToolHub } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import type { Operator, User } from "../people.ts";
import { type Move, say, sim, use } from "../testing.ts";
import { RECOVERY } from "./route.ts";
import { answeringHub } from "./testing.ts";
import { asks, failures, limited, plan, run, sections, TOOLS, user, withComms, works } from "./desk_testing.ts";

Deno.test("supervise() retries after a wait, and says nothing of a failure that was recovered from", () =>
  sim(async (clock) => {
    const { answer, routes, packets } = await run(clock, { billing: [limited, ...works("billing")] });
    assert.deepEqual([answer.status, failures(answer), sections(answer)], ["complete", [], [
      "billing: Found by billing.",
    ]]);
    assert.deepEqual(routes, ["billing retry"]);
    assert.deepEqual(packets.map(({ id, attempt }) => [id, attempt]), [["billing", undefined], ["billing", 2]]);
    assert.equal(clock.now(), RECOVERY.backoffMs);
  }));

Deno.test("supervise() retries as often as its crew allows, each time after twice the wait, and then discloses", () =>
  sim(async (clock) => {
    const { answer, routes } = await run(clock, { billing: [limited, limited, limited, limited] });
    assert.deepEqual([answer.status, failures(answer)], ["failed", ["billing rate_limited"]]);
    assert.deepEqual(routes, ["billing retry", "billing retry", "billing disclose"]);
    assert.equal(clock.now(), 3 * RECOVERY.backoffMs);
  }));

Deno.test("supervise() waits as long as it was asked to, and does not begin a wait that its run would not survive", () =>
  sim(async (clock) => {
    const busy = (retryAfterMs: number) => Object.assign(new CodedError("rate_limited", "429"), { retryAfterMs });
    await run(clock, { billing: [busy(4000), ...works("billing")] });
    assert.equal(clock.now(), 4000);
    const { routes } = await run(clock, { billing: [busy(20_000)] });
    assert.deepEqual([routes, clock.now()], [["billing disclose"], 4000]);
  }));

Deno.test("supervise() keeps what an attempt has found when the next ones come to nothing", () =>
  sim(async (clock) => {
    const hub: ToolHub = {
      ...answeringHub(),
      call: (name) =>
        Promise.resolve(
          name === "orders.find"
            ? { kind: "answered", text: "Found by billing." }
            : failed("tool_error", "slow down", { code: "rate_limited" }),
        ),
    };
    const half: Move[] = [use("orders.find", "orders.refunds"), say("Found by billing.")];
    const { answer } = await run(clock, { billing: [...half, limited, limited] }, { hub });
    assert.deepEqual([answer.status, sections(answer)], ["degraded", ["billing: Found by billing."]]);
    assert.deepEqual(failures(answer), ["billing rate_limited"]);
  }));

Deno.test("supervise() gives a worker that ran out of steps twice as many, once", () =>
  sim(async (clock) => {
    const busy = [1, 2, 3].map(() => use("orders.find"));
    const { answer, packets } = await run(clock, { billing: [...busy, ...busy, ...works("billing")] });
    assert.equal(answer.status, "complete");
    assert.deepEqual(packets.map(({ maxSteps }) => maxSteps), [3, 6]);
    const forever = await run(clock, { billing: Array.from({ length: 20 }, () => use("orders.find")) });
    assert.deepEqual(failures(forever.answer), ["billing budget_steps"]);
    assert.deepEqual(forever.routes, ["billing extend", "billing disclose"]);
    assert.equal(forever.model.of("billing").length, 9);
  }));

Deno.test("supervise() gives a task to whoever stands in, with the same objective and their own tools", () =>
  sim(async (clock) => {
    const broken = new CodedError("unauthorized", "bad key");
    const met = await run(clock, { billing: [broken], comms: works("comms") }, { crew: withComms("billing") });
    assert.deepEqual([met.answer.status, sections(met.answer)], ["complete", ["comms: Found by comms."]]);
    const [first, second] = met.packets;
    assert.deepEqual(second, { ...first, recipient: "comms", toolAllow: ["kb."], attempt: 2 });
    const both = await run(clock, { billing: [broken], comms: [broken] }, { crew: withComms("billing") });
    assert.deepEqual(failures(both.answer), ["billing unauthorized", "comms unauthorized"]);
  }));

Deno.test("supervise() holds back what depends on a task until that has been retried", () =>
  sim(async (clock) => {
    const planner = [plan(["comms", "comms", { dependsOn: ["billing"] }], ["billing"])];
    const { answer, model } = await run(clock, {
      planner,
      billing: [limited, ...works("billing")],
      comms: works("comms"),
    });
    assert.equal(answer.status, "complete");
    assert.match(model.of("comms")[0]?.messages[0]?.text ?? "", /from billing: "Found by billing\."/);
    const never = await run(clock, { planner, billing: [limited, limited, limited] });
    assert.deepEqual(failures(never.answer), ["comms not_started", "billing rate_limited"]);
  }));

Deno.test("supervise() answers a question out of what the plan has resolved, without asking anybody", () =>
  sim(async (clock) => {
    const nobody = user("never asked");
    const { answer, model } = await run(clock, {
      planner: [plan(["billing"], ["comms", "comms", { inputs: { order_id: "12345" } }])],
      billing: [asks, ...works("billing")],
      comms: works("comms"),
    }, { user: nobody });
    assert.equal(answer.status, "complete");
    assert.deepEqual(nobody.asked, []);
    assert.match(model.of("billing")[1]?.messages[0]?.text ?? "", /- clarification: .*order_id: 12345/);
  }));

Deno.test("supervise() asks the user what no fact answers, and dispatches again, once", () =>
  sim(async (clock) => {
    const one = user("It is 777.", "never asked");
    const { answer, model } = await run(clock, { billing: [asks, ...works("billing")] }, { user: one });
    assert.equal(answer.status, "complete");
    assert.deepEqual(one.asked, [{ packetId: "billing", worker: "billing", question: "What is the order id?" }]);
    const told = JSON.stringify({ question: "What is the order id?", answer: "It is 777." });
    assert.ok(model.of("billing")[1]?.messages[0]?.text.includes(`- clarification: ${told}`));
    const again = await run(clock, { billing: [asks, asks] }, { user: user("It is 777.", "never asked") });
    assert.deepEqual(failures(again.answer), ["billing ambiguous"]);
  }));

Deno.test("supervise() discloses a question that nobody answers", () =>
  sim(async (clock) => {
    const rude: User = { answer: () => Promise.reject(new Error("hung up")) };
    for (const people of [{}, { user: user(undefined) }, { user: user(" ") }, { user: rude }]) {
      const { answer } = await run(clock, { billing: [asks] }, people);
      assert.deepEqual(failures(answer), ["billing ambiguous"]);
      assert.match(answer.text, /Reason: it asks: What is the order id\?$/);
    }
  }));

Deno.test("supervise() lets an operator take over, and says that a person did", () =>
  sim(async (clock) => {
    const routes = { unauthorized: ["escalate", "disclose"] as Strategy[] };
    const moves = { billing: [new CodedError("unauthorized", "bad key")] };
    const operator = (said: string | undefined): Operator => ({
      approve: () => Promise.reject(new Error("not asked")),
      takeOver: ({ objective }) => Promise.resolve(said === undefined ? undefined : `${objective} ${said}`),
    });
    const taken = await run(clock, moves, { crew: { routes }, operator: operator("Done by hand.") });
    assert.deepEqual(taken.answer.sections, [
      { worker: "billing", text: "Do billing. Done by hand.", provenance: { kind: "human" } },
    ]);
    assert.deepEqual(taken.answer.failures[0]?.substituted, { kind: "human" });
    const declined = await run(clock, moves, { crew: { routes }, operator: operator(undefined) });
    assert.deepEqual(declined.routes, ["billing escalate", "billing disclose"]);
    assert.deepEqual(declined.answer.sections, []);
  }));

/** A worker's model that does one thing or another, by chance. */
function anyMove(random: Random, clock: VirtualClock, worker: string): Move {
  const codes: FailureCode[] = [
    "rate_limited",
    "model_error",
    "unauthorized",
    "timeout",
    "conflict",
    "outcome_unknown",
  ];
  return (request) => {
    const seen = request.messages.some(({ role }) => role === "tool");
    switch (random.int(10)) {
      case 0:
      case 1:
        throw new CodedError(codes[random.int(codes.length)] ?? "internal", "by chance");
      case 2:
        return asks;
      case 3:
        return say("");
      case 4:
        return say("There are 17 moons.");
      case 5:
        return sleep(clock, 50 + random.int(2000)).then(() => use(TOOLS[worker] ?? ""));
      default:
        return seen ? say(`Found by ${worker}.`) : use(TOOLS[worker] ?? "");
    }
  };
}

Deno.test("supervise() comes to an honest end within its limits, whatever happens", () =>
  sim(async (clock) => {
    const random = new Random("recovery");
    const statuses = new Set<string>();
    for (let round = 0; round < 1000; round++) {
      const names = ["billing", "policy", "comms"];
      const moves = Object.fromEntries(
        names.map((name) => [name, Array.from({ length: 60 }, () => anyMove(random, clock, name))]),
      );
      const dependsOn = random.int(3) === 0 ? ["billing"] : [];
      const steps = random.int(2) === 0 ? { budget: { steps: 4 + random.int(20) } } : {};
      const recovery = random.int(2) === 0
        ? {}
        : { recovery: { maxPerPacket: random.int(4), maxPerRun: random.int(6), backoffMs: 10 } };
      const routes: Crew["routes"] = random.int(2) === 0 ? {} : {
        timeout: ["retry", "extend", "escalate", "disclose"],
        unverified: ["reassign", "fallback", "disclose"],
      };
      const crew = { ...withComms("billing", "policy"), ...steps, ...recovery, routes, deadlineMs: 20_000 };
      const said = () => random.int(2) === 0 ? undefined : "It is 777.";
      const people = random.int(2) === 0 ? {} : {
        user: { answer: () => Promise.resolve(said()) },
        operator: { approve: () => Promise.reject(new Error("not asked")), takeOver: () => Promise.resolve(said()) },
      };
      const { answer, routes: taken, packets, events, model } = await run(clock, {
        planner: [plan(["billing"], ["policy"], ["comms", "comms", { dependsOn }])],
        ...moves,
      }, { crew, ...people });
      statuses.add(answer.status);
      const { maxPerPacket, maxPerRun } = recovery.recovery ?? RECOVERY;
      const counted = taken.filter((one) => !/ (?:fallback|disclose)$/.test(one));
      assert.ok(counted.length <= maxPerRun, `${counted}`);
      for (const id of names) {
        assert.ok(counted.filter((one) => one.startsWith(`${id} `)).length <= maxPerPacket, `${counted}`);
        const sent = packets.filter((one) => one["id"] === id).map(({ attempt = 1 }) => attempt);
        assert.deepEqual(sent, [...sent].sort(), "attempts are numbered as they come");
        // Met by somebody, in part or whole, or named with its code.
        const met = answer.sections.some(({ provenance }) => provenance.kind === "live") || answer.failures.length > 0;
        assert.ok(met);
      }
      const asked = model.requests.filter(({ agent }) => agent !== "planner").length;
      assert.ok(asked <= (steps.budget?.steps ?? Infinity), `${asked} steps of ${steps.budget?.steps}`);
      const usage = events.find(({ type }) => type === "usage")?.detail;
      assert.ok(Number(usage?.["steps"]) <= model.requests.length);
      const unknown = taken.filter((_, i) =>
        events.filter(({ type }) => type === "route")[i]?.detail["code"] === "outcome_unknown"
      );
      assert.ok(unknown.every((one) => / (?:escalate|disclose)$/.test(one)), "what may have acted is never done again");
      assert.equal(answer.status === "complete", answer.failures.length === 0 && answer.sections.length > 0);
      assert.ok(!answer.text.includes("17 moons"), "nothing unsupported is passed on");
      for (const { specialist, code } of answer.failures) {
        assert.ok(answer.text.includes(`The ${specialist} specialist failed (${code})`));
      }
    }
    assert.deepEqual([...statuses].sort(), ["complete", "degraded", "failed"]);
  }));
