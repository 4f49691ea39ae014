import assert from "node:assert/strict";
import { kindLines, readKinds } from "./check_kinds.ts";
import { listChanges, textChanges } from "./lists.ts";

Deno.test("listChanges() tells what is gone, what is new, and what has become of the same thing", () => {
  const before = ["billing: ok", "policy: failed timeout", "comms: ok"];
  assert.deepEqual(listChanges("worker", before, before), []);
  assert.deepEqual(listChanges("worker", before, ["billing: ok", "policy: ok", "poet: ok"]), [
    "worker policy: failed timeout → ok",
    "worker gone: comms: ok",
    "worker new: poet: ok",
  ]);
  assert.deepEqual(listChanges("worker", ["a: 1", "b: 1"], ["b: 1", "a: 1"]), [
    "worker: the same in another order; first comes b: 1",
  ]);
  assert.deepEqual(listChanges("call", ["a: ok", "a: ok"], ["a: ok"]), ["call gone: a: ok"]);
});

Deno.test("textChanges() shows long lines where they differ", () => {
  const long =
    "The policy specialist failed, and a cached snapshot stands in for it, which may be out of date by now. ";
  const [told = ""] = textChanges("the answer", [`${long}Reason: refused.`], [`${long}Reason: gone.`]);
  assert.match(told, /^the answer: “….*Reason: refused\.” → “….*Reason: gone\.”$/);
  assert.ok(told.length < 200);
  assert.deepEqual(textChanges("it", ["a", "b"], ["a"]), ["it no longer says “b”"]);
  assert.deepEqual(textChanges("it", ["a"], ["b", "a"]), ["it now says “b”"]);
  assert.deepEqual(textChanges("it", ["a", "b"], ["b", "a"]), ["it: the same lines in another order"]);
  assert.deepEqual(textChanges("it", ["a"], ["a"]), []);
});

Deno.test("readKinds() undoes kindLines()", () => {
  const ids = ["run.ended", "says:a.b:x", "says:c: d", "says.more", "plan.facts:t.k", "plan.facts:t.l", "canary:X"];
  assert.deepEqual(kindLines(ids), ["canary", "plan: facts x2", "run: ended", "says x2", "says: more"]);
  assert.deepEqual(
    [...readKinds(kindLines(ids))],
    [["canary", 1], ["plan.facts", 2], ["run.ended", 1], ["says", 2], ["says.more", 1]],
  );
});
