import assert from "node:assert/strict";
import { join } from "node:path/posix";
import { SOUND, TestFolder } from "../scenario/test_folder.ts";
import { bench } from "./test_io.ts";

Deno.test("what a run offers to type next is the same run, with its subject, lane and seed", async () => {
  await using folder = await TestFolder.make({ "x.yaml": SOUND });
  const io = { cwd: folder.path, runs: join(folder.path, "runs"), columns: 200 };
  const given = ["--lane", "sim", "--subject", "liar", "--seed", "3"];
  const { out } = await bench(["run", "./x.yaml", ...given], io);
  const command = /^ +deno task bench (run .*)$/m.exec(out)?.[1] ?? assert.fail(out);
  assert.equal(command, `run x.yaml --timeline ${given.join(" ")}`);
  const again = await bench(command.split(" "), io);
  assert.match(again.out, /^Timeline +sound@sim,subject=liar,seed=3 /m);
  const plain = await bench(["run", "./x.yaml"], io);
  assert.match(plain.out, /^ +deno task bench run x\.yaml --timeline$/m);
});
