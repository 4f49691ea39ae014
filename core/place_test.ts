import assert from "node:assert/strict";
import { callers, filePlaceOf, placeOf, relativePlace } from "./place.ts";

const ROOT = new URL("../", import.meta.url).href;

Deno.test("callers begins with the line that asks", () => {
  assert.match(relativePlace(callers()[0] ?? ""), /^core\/place_test\.ts:7:\d+$/);
});

Deno.test("callers reads async frames and folders with odd names, and leaves the core's own files out", () => {
  const stack = [
    "Error",
    `    at callers (${ROOT}core/guard.ts:1:2)`,
    `    at async run (file:///home/x%20(1)/main.ts:3:4)`,
    "    at Array.map (<anonymous>)",
    "    at async file:///home/y/mod.ts:5:6",
    "    at node:internal/timers:7:8",
  ].join("\n");
  const real = Error;
  class Fake extends real {
    override stack = stack;
  }
  globalThis.Error = Fake as ErrorConstructor;
  try {
    assert.deepEqual(callers(), [
      "file:///home/x%20(1)/main.ts:3:4",
      "file:///home/y/mod.ts:5:6",
      "node:internal/timers:7:8",
    ]);
  } finally {
    globalThis.Error = real;
  }
});

Deno.test("relativePlace is the same on every machine", () => {
  assert.equal(relativePlace(`${ROOT}agents/hub/hub.ts:1:2`), "agents/hub/hub.ts:1:2");
  assert.equal(relativePlace("file:///c/npm/registry.example/@x/y/1.2.3/dist/a.js:1:2"), "@x/y/1.2.3/dist/a.js:1:2");
  assert.equal(relativePlace("file:///p/node_modules/zod/index.js:1:2"), "zod/index.js:1:2");
  assert.equal(relativePlace("file:///somewhere/else/a.ts:1:2"), "a.ts:1:2");
});

Deno.test("placeOf names a package's line and the line of the project that led there", () => {
  const inPackage = "file:///c/npm/registry.example/zod/4.0.0/a.js:1:2";
  const own = `${ROOT}agents/a.ts:3:4`;
  assert.equal(placeOf(["ext:core/x.js:1:1", own, inPackage]), "agents/a.ts:3:4");
  assert.equal(placeOf([inPackage, own]), "zod/4.0.0/a.js:1:2 (reached from agents/a.ts:3:4)");
  assert.equal(placeOf([inPackage]), "zod/4.0.0/a.js:1:2");
});

Deno.test("placeOf says what it can where no file is to be seen", () => {
  assert.equal(filePlaceOf(["ext:core/x.js:1:1"]), undefined);
  assert.equal(placeOf(["ext:core/x.js:1:1"]), "x.js:1:1");
  assert.equal(placeOf([]), "an unknown place");
});
