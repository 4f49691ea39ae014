import assert from "node:assert/strict";
import { promptOf, PROMPTS } from "./mod.ts";

Deno.test("PROMPTS has each prompt under its own id, a name and a version", () => {
  for (const [id, prompt] of PROMPTS) {
    assert.equal(prompt.id, id);
    assert.match(id, /^[a-z_]+@[1-9]\d*$/);
    assert.ok(prompt.text.length > 100 && !prompt.text.includes("undefined"), id);
  }
  const names = [...PROMPTS.keys()].map((id) => id.split("@")[0]);
  assert.equal(new Set(names).size, names.length, "one version of each is in use");
});

Deno.test("promptOf() gives the general worker's prompt for an id that there is not", () => {
  assert.equal(promptOf(undefined).id.split("@")[0], "worker");
  assert.equal(promptOf("__proto__"), promptOf(undefined));
  assert.equal(promptOf("billing@1").id, "billing@1");
});
