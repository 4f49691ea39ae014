import assert from "node:assert/strict";
import { PLAN_REPLY } from "../../planner/plan.ts";
import { LiveModelError } from "./errors.ts";
import { MAX_OUTPUT_TOKENS, MAX_WAIT_MS } from "./live.ts";
import { Purse } from "./purse.ts";
import { apiError, liveModel, REPLY, REQUEST, saying, USAGE } from "./testing.ts";

const signal = () => new AbortController().signal;

Deno.test("LiveModel gives the turn with its usage, and what it cost where the price is known", async () => {
  const price = {
    ...{ model: "openai:gpt-x", input: 2, cached: 1, output: 10, checked: "2026-01-01" },
    source: "https://example.com/",
  };
  const usage = { inputTokens: 1000, outputTokens: 100, cachedTokens: 400, cacheWriteTokens: 0 };
  const { model, clock, purse } = liveModel(saying({ ...REPLY, usage }), { price });
  const turn = await clock.run(() => model.next(REQUEST, signal()));
  assert.deepEqual(turn.usage, { inputTokens: 1000, outputTokens: 100, cachedTokens: 400, costUsd: 0.0026 });
  assert.deepEqual(purse.spent.costUsd, 0.0026);
  const unpriced = liveModel(saying(REPLY));
  const other = await unpriced.clock.run(() => unpriced.model.next(REQUEST, signal()));
  assert.equal("costUsd" in other.usage, false, "a price that is not known is not 0");
  assert.equal(unpriced.purse.spent.unpriced, 1);
});

Deno.test("LiveModel asks for no more tokens than whoever asks grants, and for no more than its own limit", async () => {
  const provider = saying(REPLY, REPLY);
  const { model, clock } = liveModel(provider);
  await clock.run(async () => {
    await model.next({ ...REQUEST, maxOutputTokens: 50 }, signal());
    await model.next({ ...REQUEST, maxOutputTokens: 1e9 }, signal());
  });
  assert.deepEqual(provider.asked.map(({ maxOutputTokens }) => maxOutputTokens), [50, MAX_OUTPUT_TOKENS]);
});

for (
  const [how, headers, waits] of [
    ["in seconds", { "retry-after": "3" }, 3000],
    ["in milliseconds", { "retry-after-ms": "250" }, 250],
    ["as a date", { "retry-after": new Date(4000).toUTCString() }, 4000],
    ["not at all", {}, 500],
  ] as const
) {
  Deno.test(`LiveModel asks again when the provider wants to be asked again, told ${how}`, async () => {
    const provider = saying(apiError(429, headers), REPLY);
    const { model, clock } = liveModel(provider);
    const turn = await clock.run(() => model.next(REQUEST, signal()));
    assert.deepEqual([turn.text, clock.now()], ["a rose", waits]);
    assert.equal(provider.asked.length, 2);
  });
}

Deno.test("LiveModel asks no third time again, and gives up with what was last said", async () => {
  const provider = saying(apiError(500), apiError(529), apiError(503));
  const { model, clock } = liveModel(provider);
  await assert.rejects(clock.run(() => model.next(REQUEST, signal())), { code: "model_error", status: 503 });
  assert.equal(provider.asked.length, 3);
  assert.equal(clock.now(), 1500, "500 ms, then twice as long");
});

Deno.test("LiveModel does not wait for longer than its cap, but tells how long it would have been", async () => {
  const provider = saying(apiError(429, { "retry-after": "3600" }));
  const { model, clock } = liveModel(provider);
  const failure = { code: "rate_limited", status: 429, retryAfterMs: 3_600_000 };
  await assert.rejects(clock.run(() => model.next(REQUEST, signal())), failure);
  assert.equal(clock.now(), 0);
  assert.ok(MAX_WAIT_MS < 3_600_000);
});

for (
  const [what, error] of [
    ["a wrong key", apiError(401)],
    ["a wrong request", apiError(400)],
    ["a provider that says so", apiError(500, { "x-should-retry": "false" })],
    ["a quota that is used up", apiError(429, {}, { code: "insufficient_quota" })],
  ] as const
) {
  Deno.test(`LiveModel does not ask again after ${what}`, async () => {
    const provider = saying(error);
    const { model, clock } = liveModel(provider);
    await assert.rejects(clock.run(() => model.next(REQUEST, signal())));
    assert.equal(provider.asked.length, 1);
  });
}

const DIALLED = new TypeError("fetch failed", {
  cause: new Error("error sending request for url (http://127.0.0.1:9/v1): client error (Connect): Connection refused"),
});

for (
  const [what, error, outage] of [
    ["a connection that is refused", Object.assign(apiError(undefined), { cause: DIALLED }), "unreachable"],
    ["a connection that breaks", Object.assign(apiError(undefined), { cause: new Error("reset by peer") }), undefined],
    ["a wrong key", apiError(401), "key"],
    ["a key without the right", apiError(403), "key"],
    ["a wrong key, told in a stream", apiError(undefined, {}, { type: "authentication_error" }), "key"],
    ["a wrong name", apiError(404), "name"],
    ["a quota that is used up", apiError(429, {}, { code: "insufficient_quota" }), "quota"],
    ["a rate limit", apiError(429), undefined],
    ["a server's error", apiError(503), undefined],
    ["a wrong request", apiError(422), undefined],
  ] as const
) {
  Deno.test(`LiveModel says of ${what} ${outage ?? "that another call may succeed"}`, async () => {
    const { model, clock, purse } = liveModel(saying(error), { retries: 0 });
    const failure = await clock.run(() =>
      model.next(REQUEST, signal()).then(() => undefined, (error: unknown) => error)
    );
    assert.ok(failure instanceof LiveModelError);
    assert.equal(failure.outage, outage);
    if (outage === "unreachable") assert.equal(purse.spent.untold.calls, 0, "nobody was reached who could be paid");
  });
}

Deno.test("LiveModel ends with its caller: while it waits to ask again, too", async () => {
  const provider = saying(apiError(429, { "retry-after": "30" }), REPLY);
  const { model, clock } = liveModel(provider);
  const caller = new AbortController();
  const reason = new Error("the worker's time is up");
  await clock.run(async () => {
    clock.after(1000, () => caller.abort(reason));
    await assert.rejects(model.next(REQUEST, caller.signal), reason);
  });
  assert.deepEqual([clock.now(), provider.asked.length], [1000, 1]);
});

Deno.test("LiveModel asks without a form, and does so from then on, if the model refuses forms", async () => {
  const provider = saying(apiError(400), REPLY, REPLY);
  const { model, clock } = liveModel(provider);
  await clock.run(async () => {
    await model.next({ ...REQUEST, format: PLAN_REPLY }, signal());
    await model.next({ ...REQUEST, format: PLAN_REPLY }, signal());
  });
  assert.deepEqual(provider.asked.map(({ format }) => format?.name), ["plan", undefined, undefined]);
});

Deno.test("LiveModel asks without a form again, though another call has found out first that forms are refused", async () => {
  const provider = saying(apiError(400), apiError(400), REPLY, REPLY);
  const { model, clock } = liveModel(provider);
  const request = { ...REQUEST, format: PLAN_REPLY };
  const turns = await clock.run(() => Promise.all([model.next(request, signal()), model.next(request, signal())]));
  assert.deepEqual(turns.map(({ text }) => text), ["a rose", "a rose"]);
});

Deno.test("LiveModel reserves what a session sends beside the conversation, too", async () => {
  const provider = saying(REPLY);
  const limits = { maxTokens: 15_000 };
  const { model, clock } = liveModel(
    { holdsToForm: true, open: () => ({ ...provider.open(), hiddenBytes: () => 10_000 }) },
    { purse: new Purse(limits) },
  );
  await assert.rejects(clock.run(() => model.next(REQUEST, signal())), { code: "budget_tokens" });
  const other = liveModel(provider, { purse: new Purse(limits) });
  await other.clock.run(() => other.model.next(REQUEST, signal()));
});

Deno.test("LiveModel quotes no key from the cause of an error", async () => {
  const cause = new TypeError("invalid header: Bearer sk-planted-key");
  const { model, clock } = liveModel(saying(Object.assign(apiError(undefined), { cause })), { retries: 0 });
  const failure = await clock.run(() => model.next(REQUEST, signal()).then(() => undefined, (error: Error) => error));
  assert.match(String(failure?.message), /invalid header/);
  assert.doesNotMatch(String(failure?.message), /planted/);
});

Deno.test("LiveModel quotes neither its key nor a page of HTML", async () => {
  const said = "401 Incorrect API key provided: sk-planted-key. <html><h1>no</h1></html>";
  const { model, clock } = liveModel(saying(Object.assign(apiError(401), { message: said })));
  const failure = await clock.run(() => model.next(REQUEST, signal()).then(() => undefined, (error: Error) => error));
  assert.match(String(failure?.message), /^401: Incorrect API key/);
  assert.doesNotMatch(String(failure?.message), /planted|<h1>/);
});

Deno.test("LiveModel is refused a call that might pass a limit of the run, and the provider is not asked", async () => {
  const provider = saying(REPLY);
  const { model, clock } = liveModel(provider, { purse: new Purse({ maxTokens: 1000 }) });
  await assert.rejects(clock.run(() => model.next(REQUEST, signal())), { code: "budget_tokens", status: 402 });
  assert.equal(provider.asked.length, 0);
});

Deno.test("LiveModel counts a call that broke off as the most that it may have used; a refused one as nothing", async () => {
  const broken = liveModel(saying(apiError(undefined)), { retries: 0 });
  await assert.rejects(broken.clock.run(() => broken.model.next(REQUEST, signal())));
  assert.deepEqual([broken.purse.spent.tokens, broken.purse.spent.untold.calls], [0, 1]);
  assert.ok(broken.purse.spent.untold.tokens > MAX_OUTPUT_TOKENS);
  const refused = liveModel(saying(apiError(429)), { retries: 0 });
  await assert.rejects(refused.clock.run(() => refused.model.next(REQUEST, signal())));
  assert.deepEqual(refused.purse.spent.untold.calls, 0);
  // Of a gateway's word nobody knows what was done behind it.
  const late = liveModel(saying(apiError(504)), { retries: 0 });
  await assert.rejects(late.clock.run(() => late.model.next(REQUEST, signal())));
  assert.equal(late.purse.spent.untold.calls, 1);
});

Deno.test("LiveModel estimates what a server used that does not say, and has no price for it", async () => {
  const { model, clock, purse } = liveModel(saying({ ...REPLY, usage: undefined }));
  const { usage } = await clock.run(() => model.next(REQUEST, signal()));
  assert.deepEqual(usage, { inputTokens: 4, outputTokens: 2 });
  assert.equal(purse.spent.untold.calls, 1);
});

Deno.test("LiveModel counts what its retries used, too", async () => {
  const { model, clock, purse } = liveModel(saying(apiError(500), REPLY));
  await clock.run(() => model.next(REQUEST, signal()));
  assert.deepEqual([purse.spent.calls, purse.spent.tokens], [2, USAGE.inputTokens + USAGE.outputTokens]);
});
