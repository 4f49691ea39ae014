import assert from "node:assert/strict";
import { childId, parentId } from "./ids.ts";

Deno.test("childId names a thing by where it stands", () => {
  assert.equal(childId(childId("run", "billing"), "call1"), "run/billing/call1");
});

Deno.test("childId keeps an untrusted name from passing for another place, and parentId finds the parent", () => {
  const ids = new Set<string>();
  const names = ["a", "a/b", "a%2Fb", "a%252Fb", "/", "", "%", "..", "a\nb"];
  for (const name of names) {
    const id = childId("run/x", name);
    assert.equal(parentId(id), "run/x");
    ids.add(id);
  }
  assert.equal(ids.size, names.length);
});

Deno.test("parentId of the root is undefined", () => {
  assert.equal(parentId("run"), undefined);
});
