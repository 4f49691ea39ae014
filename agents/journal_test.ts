import assert from "node:assert/strict";
import * as z from "zod";
import { Journal } from "./journal.ts";
import { MemoryRunLog } from "./run_log.ts";

Deno.test("Journal finds what was kept before a kill, and only in its own list", () => {
  const log = new MemoryRunLog();
  const first = new Journal(log, "notes", z.string());
  assert.equal(first.find("run/s1/a"), undefined);
  first.keep("run/s1/a", "done");
  const second = new Journal(log, "notes", z.string());
  assert.equal(second.find("run/s1/a"), "done");
  assert.equal(second.find("run/s2/a"), undefined, "the same task in another superstep is other work");
  assert.equal(new Journal(log, "others", z.string()).find("run/s1/a"), undefined);
});

Deno.test("Journal refuses a list that it has not written, and without a log it keeps nothing", () => {
  const log = new MemoryRunLog();
  log.append("notes", { span: "run/s1/a", result: 7 });
  assert.throws(() => new Journal(log, "notes", z.string()), { name: "ZodError" });
  const nowhere = new Journal(undefined, "notes", z.string());
  nowhere.keep("run/s1/a", "done");
  assert.equal(nowhere.find("run/s1/a"), undefined);
});
