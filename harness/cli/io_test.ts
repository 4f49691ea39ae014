import assert from "node:assert/strict";
import { type CliIo, wantsColour } from "./io.ts";

const io = (isTerminal: boolean, noColor?: string): CliIo => ({
  out: () => {},
  err: () => {},
  isTerminal,
  columns: 80,
  cwd: "/",
  env: (name) => name === "NO_COLOR" ? noColor : undefined,
  signal: new AbortController().signal,
});

Deno.test("wantsColour() wants a terminal and no NO_COLOR", () => {
  assert.equal(wantsColour(io(true)), true);
  assert.equal(wantsColour(io(true, "")), true);
  assert.equal(wantsColour(io(true, "1")), false);
  assert.equal(wantsColour(io(false)), false);
});
