import assert from "node:assert/strict";
import { findSubject } from "../subjects/mod.ts";
import { UsageError } from "./exit.ts";
import type { CliIo } from "./io.ts";
import { parseRunOptions, type RunFlags } from "./options.ts";

const io: CliIo = {
  out: () => {},
  err: () => {},
  isTerminal: false,
  columns: 80,
  cwd: "/home/me",
  env: () => undefined,
  signal: new AbortController().signal,
};
const parse = (flags: Partial<RunFlags>) =>
  parseRunOptions(["support"], { subject: "reference", repeat: "1", jobs: "4", seed: "0", ...flags }, io);

function complaint(flags: Partial<RunFlags>): string {
  try {
    parse(flags);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
  return "";
}

Deno.test("parseRunOptions() has defaults", () => {
  assert.deepEqual(parse({}), {
    selectors: ["support"],
    lane: "default",
    subject: findSubject("reference"),
    repeat: 1,
    jobs: 4,
    seed: 0,
    json: false,
    timeline: false,
  });
});

Deno.test("parseRunOptions() makes paths absolute from where the user stands", () => {
  const options = parse({
    lane: "both",
    jobs: "1",
    repeat: "3",
    output: ["out.json", "/abs/out.md"],
    seed: "7",
    json: true,
    trace: "../t",
    timeline: true,
    list: true,
  });
  assert.deepEqual(options, {
    selectors: ["support"],
    lane: "both",
    subject: findSubject("reference"),
    repeat: 3,
    jobs: 1,
    outputs: ["/home/me/out.json", "/abs/out.md"],
    seed: 7,
    json: true,
    trace: "/home/t",
    timeline: true,
    list: true,
  });
});

Deno.test("parseRunOptions() reads a deadline with its unit", () => {
  const given = ["500ms", "30s", "1.5m"].map((deadline) => parse({ deadline }).deadlineMs);
  assert.deepEqual(given, [500, 30_000, 90_000]);
});

Deno.test("parseRunOptions() refuses what is not allowed, in one line that says what is", () => {
  for (const jobs of ["0", "x", "-1", "1.5", "1e3", "", " 4", "99999"]) {
    assert.equal(complaint({ jobs }), `--jobs "${jobs}" is not allowed; give a whole number from 1 to 1024`);
  }
  assert.equal(complaint({ lane: "foo" }), '--lane "foo" is not known; allowed: sim, wire, both');
  assert.equal(
    complaint({ lane: "wier" }),
    '--lane "wier" is not known (did you mean wire?); allowed: sim, wire, both',
  );
  assert.match(complaint({ seed: "-1" }), /^--seed "-1" is not allowed; give a whole number from 0/);
  assert.equal(
    complaint({ output: ["out.json", "out.xlsx"] }),
    '--output "out.xlsx": the extension tells the format, and ".xlsx" is none; allowed: ' +
      ".json, .jsonl, .md, .xml, .html",
  );
  assert.match(complaint({ output: ["out"] }), /and "" is none; allowed: \.json, \.jsonl, \.md, \.xml, \.html$/);
  assert.equal(complaint({ trace: "" }), "--trace needs a path");
  for (const deadline of ["", "0", "0s", "-1s", "5", "1h", "1441m", "Infinity", "1e3ms"]) {
    assert.equal(
      complaint({ deadline }),
      `--deadline "${deadline}" is not allowed; give a time from 1ms to 1440m, as in 500ms, 30s or 2m`,
    );
  }
});
