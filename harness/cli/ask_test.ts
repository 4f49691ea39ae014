import assert from "node:assert/strict";
import { bindingOf, CREWS } from "../../agents/mod.ts";
import { RealClock, Redactor } from "../../core/mod.ts";
import type { People } from "../runner/people.ts";
import { TraceRecorder } from "../trace/recorder.ts";
import { PATIENCE_MS, patient, terminalPeople } from "./ask.ts";
import { parseRunOptions } from "./options.ts";
import type { PromptPort } from "./prompt_port.ts";
import { UsageError } from "./exit.ts";

const never = new AbortController().signal;

/** A person who says these things, in order; `undefined` calls the question off. */
function person(...words: readonly (string | undefined)[]): { people: People; seen: string[]; events: () => string[] } {
  const left = [...words];
  const seen: string[] = [];
  const port: PromptPort = {
    note: (text, title) => seen.push(`${title}\n${text}`),
    choose: <T extends string>(question: string, among: readonly T[]) => {
      seen.push(question);
      const word = left.shift();
      return Promise.resolve(among.find((one) => one === word));
    },
    line: (question) => (seen.push(question), Promise.resolve(left.shift())),
  };
  const cell = { scenario: "x", variant: null, lane: "wire", subject: "s", model: "m", seed: "0", repeat: 1 } as const;
  const clock = new RealClock();
  const recorder = new TraceRecorder(cell, () => clock.now(), new Redactor(new Map()));
  return {
    people: terminalPeople(port, { recorder }),
    seen,
    events: () =>
      recorder.events.map(({ side, type, detail }) => `${side} ${type} ${detail["decision"] ?? detail["said"]}`),
  };
}

const request = (callId: string, args = { amount: 25000, reason: "charged \u001b[2Jtwice" }) => ({
  ...{ callId, worker: "cashier", tool: "refunds.issue_refund", args },
  ...{ binding: "whatever the subject says", reasons: ["amount is 25000, and up to 10000 passes by itself"] },
});

Deno.test("terminalPeople() approves what was on the screen, made harmless, and tells the trace", async () => {
  const { people, seen, events } = person("approve");
  const decision = await people.operator?.approve(request("c1"), never);
  const { args, tool } = request("c1");
  assert.deepEqual(decision, { decision: "approve", binding: bindingOf("c1", tool, args) });
  assert.deepEqual(seen, [
    "cashier wants to call refunds.issue_refund\n" +
    'amount: 25000\nreason: "charged \\u001b[2Jtwice"\n\n- amount is 25000, and up to 10000 passes by itself',
    "May it?",
  ]);
  assert.deepEqual(events(), ["world operator.request undefined", "world operator.decision approve"]);
});

Deno.test("terminalPeople() denies with a reason, without one, and when the question is called off", async () => {
  for (
    const [words, because] of [[["deny", " no receipt "], "no receipt"], [["deny", ""], undefined], [
      [],
      undefined,
    ]] as const
  ) {
    const { people } = person(...words);
    const decision = await people.operator?.approve(request("c1"), never);
    assert.deepEqual([decision?.decision, decision?.because], ["deny", because]);
  }
});

Deno.test("terminalPeople() asks one question at a time, and never one that nobody waits for any more", async () => {
  const { people, seen } = person("approve", "approve");
  const gone = new AbortController();
  const three = [never, gone.signal, never].map((signal, i) => people.operator?.approve(request(`c${i}`), signal));
  gone.abort(new Error("called off"));
  const ends = await Promise.allSettled(three);
  assert.deepEqual(ends.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  assert.deepEqual(seen.map((text) => text.split("\n")[0]), [
    "cashier wants to call refunds.issue_refund",
    "May it?",
    "cashier wants to call refunds.issue_refund",
    "May it?",
  ]);
});

Deno.test("terminalPeople() takes over and answers, or says nothing", async () => {
  const { people, events, seen } = person("I have paid it by hand.", "  ", "12345", undefined);
  const failed = { code: "timeout", detail: "no answer\u202e", retryable: true } as const;
  const escalation = { packetId: "p", worker: "cashier", objective: "Pay.", failure: failed };
  const question = { packetId: "p", worker: "billing", question: "Which order?" };
  const said = [
    await people.operator?.takeOver(escalation, never),
    await people.operator?.takeOver(escalation, never),
    await people.user?.answer(question, never),
    await people.user?.answer(question, never),
  ];
  assert.deepEqual(said, ["I have paid it by hand.", undefined, "12345", undefined]);
  assert.equal(seen[0], "cashier has failed\nPay.\n\ntimeout: no answer\\u{202e}");
  assert.deepEqual(events().map((event) => event.split(" ").slice(1, 2)[0]), [
    ...["operator.takeover", "operator.takeover"],
    ...["user.question", "user.answer", "user.question", "user.answer"],
  ]);
});

Deno.test("terminalPeople() says how much of a long argument is not shown", async () => {
  const { people, seen } = person("deny", "");
  await people.operator?.approve(request("c1", { amount: 1, reason: "x".repeat(5000) }), never);
  assert.match(seen[0] ?? "", /…\ \(3002 more characters are not shown\)/);
});

Deno.test("patient() gives time to those whose calls may need a person, and to the run", () => {
  const crew = CREWS.get("support");
  assert.ok(crew !== undefined);
  const slow = patient(crew);
  const longer = slow.specialists.filter(({ deadlineMs }, i) => deadlineMs !== crew.specialists[i]?.deadlineMs);
  assert.deepEqual(longer.map(({ name }) => name), ["cashier", "outreach"]);
  assert.equal(slow.deadlineMs, crew.deadlineMs + PATIENCE_MS);
});

Deno.test("parseRunOptions() takes --ask for one cell at a time in wire, in a terminal only", () => {
  const io = {
    ...{ out: () => {}, err: () => {}, columns: 80, cwd: "/", env: () => undefined, signal: never },
    isTerminal: true,
  };
  const parse = (flags: { lane?: string; jobs?: string }, isTerminal = true) =>
    parseRunOptions(["support"], { subject: "reference", repeat: "1", jobs: "4", seed: "0", ask: true, ...flags }, {
      ...io,
      isTerminal,
    });
  const { lane, jobs, ask } = parse({});
  assert.deepEqual([lane, jobs, ask, parse({ lane: "wire" }).lane], ["wire", 1, true, "wire"]);
  for (const other of ["sim", "both"]) {
    assert.throws(() => parse({ lane: other }), { name: UsageError.name, message: /leave out --lane/ });
  }
  assert.throws(() => parse({}, false), { message: /needs a terminal/ });
});
