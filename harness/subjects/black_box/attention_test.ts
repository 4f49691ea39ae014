import assert from "node:assert/strict";
import { Attention } from "./attention.ts";

Deno.test("Attention ends with what is too much, and does not come back", () => {
  const attention = new Attention(10);
  const asking = (text: string) => attention.refusal({ system: "sys", messages: [{ role: "user", text }] });
  assert.equal(asking("one"), undefined);
  assert.match(asking("seven") ?? "", /more than 10 characters in all/);
  assert.match(asking("") ?? "", /not listened to any more/);
});
