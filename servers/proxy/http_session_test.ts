import { memoryPair } from "../../core/mod.ts";
import type { Forward } from "./forward.ts";
import { HttpSession } from "./http_session.ts";
import assert from "node:assert/strict";

const ENDPOINT = "http://127.0.0.1/mcp";
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
const NOTE = { jsonrpc: "2.0", id: 7, result: { action: "accept" } };
const LINE = JSON.stringify(NOTE);

/** A session behind a link that the test carries lines through, before a server that answers when the test does. */
function session() {
  const asked: { readonly request: Request; readonly body: string | undefined; answer(response: Response): void }[] =
    [];
  const forward: Forward = (request, body) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const callBack = () => reject(request.signal.reason);
    if (request.signal.aborted) callBack();
    else request.signal.addEventListener("abort", callBack, { once: true });
    asked.push({ request, body, answer: resolve });
    return promise;
  };
  const [hub, near] = memoryPair();
  const [far, link] = memoryPair();
  const held: Uint8Array[] = [];
  near.open({ bytes: (chunk) => held.push(chunk), closed: () => {} });
  far.open({ bytes: () => {}, closed: () => {} });
  const letGo = () => {
    for (const chunk of held.splice(0)) far.write(chunk);
  };
  return { session: new HttpSession(forward, hub, link), asked, held, letGo };
}

/** A request as a server has it: over, and so called back, as soon as it has been answered. */
function request(method: string, accept: string): { request: Request; over: AbortController } {
  const over = new AbortController();
  return { request: new Request(ENDPOINT, { method, headers: { accept }, signal: over.signal }), over };
}

Deno.test("HttpSession.post() answers what asks for no answer as the server does, however long that takes", async () => {
  const { session: own, asked, held, letGo } = session();
  const { request: posted, over } = request("POST", "application/json");
  const answered = own.post(posted, NOTE, LINE).then(({ status }) => {
    over.abort();
    return status;
  });
  // The link is given its line in a microtask, and hands it on before any timer.
  await Promise.resolve();
  assert.equal(held.length, 1);
  letGo();
  // Whatever the session would do by itself, it has done.
  for (let i = 0; i < 3; i++) await turn();
  const [only] = asked;
  assert.equal(only?.body, LINE);
  assert.equal(only.request.signal.aborted, false, "it is still on its way");
  only.answer(new Response(null, { status: 404 }));
  assert.equal(await answered, 404);
  assert.equal(asked.length, 1);
});

Deno.test("HttpSession.post() accepts what the link holds back, and sends it when the link lets it go", async () => {
  const { session: own, asked, letGo } = session();
  const { request: posted, over } = request("POST", "application/json, text/event-stream");
  assert.equal((await own.post(posted, NOTE, LINE)).status, 202);
  over.abort();
  const { request: stream } = request("GET", "text/event-stream");
  void own.listen(stream);
  letGo();
  await turn();
  const [listens, late] = asked;
  assert.equal(listens?.request, stream);
  assert.equal(late?.body, LINE);
  assert.deepEqual(
    [late.request.method, late.request.headers.get("accept"), late.request.signal.aborted],
    ["POST", "application/json, text/event-stream", false],
  );
  assert.equal(asked.length, 2);
});
