import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { passingBytes } from "./utf8.ts";

Deno.test("passingBytes() gives what TextEncoder gives, of texts of any length", () => {
  const encoder = new TextEncoder();
  const limit = 1 << 18;
  for (const text of ["", "\ud800", ..."aü→😀"]) {
    for (const times of [1, 3, limit / 4 - 1, limit / 4, limit / 4 + 1, limit - 1, limit, limit + 1]) {
      const whole = text.repeat(times);
      assert.ok(Buffer.from(passingBytes(whole)).equals(encoder.encode(whole)), `${JSON.stringify(text)} ${times}`);
    }
  }
});
