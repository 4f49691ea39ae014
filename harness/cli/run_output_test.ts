import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { SOUND, TestFolder } from "../scenario/test_folder.ts";
import { bench } from "./test_io.ts";

const cwd = fileURLToPath(new URL("../../", import.meta.url));
const onGitHub = { cwd, env: (name: string) => name === "GITHUB_ACTIONS" ? "true" : undefined };
const ONE = ["run", "healthy-desk", "--lane", "sim"];

Deno.test("run prints annotations on GitHub alone, and keeps its runner from reading commands in the screen", async () => {
  const { code, out } = await bench(ONE, onGitHub);
  assert.equal(code, 0);
  assert.match(
    out,
    /^::stop-commands::([\w-]+)\nBrownout: [^]*\n::\1::\n::notice title=Brownout::cells: 1 pass, 0 fail, 0 error, 0 untestable\n$/,
  );
  assert.match((await bench(ONE, { cwd })).out, /^Brownout: /);
});

Deno.test("run --json prints nothing but the report on stdout, on GitHub too", async () => {
  const { out, err } = await bench([...ONE, "--json"], onGitHub);
  assert.equal(JSON.parse(out).outcome, "pass");
  assert.match(err, /^::notice title=Brownout::/m);
});

Deno.test("run of many scenarios prints one screen of 80 columns, and each scenario with --list", async () => {
  const { out } = await bench(["run", "review", "--lane", "sim"], { cwd });
  assert.ok(out.split("\n").length <= 45, out);
  assert.ok(out.split("\n").every((line) => line.length <= 80));
  assert.match(out, /^review +sim +\d+ +\d+ +0 +0 +0$/m);
  const listed = await bench(["run", "review", "--lane", "sim", "--list"], { cwd });
  assert.match(listed.out, /^ {2}healthy-review +pass +complete/m);
});

Deno.test("run offers the path of a scenario that no name finds", async () => {
  await using folder = await TestFolder.make({ "mine/x.yaml": SOUND });
  const { out } = await bench(["run", "mine/x.yaml", "--lane", "sim"], { cwd: folder.path });
  assert.match(out, /^next {4}deno task bench explain mine\/x\.yaml$/m);
});

Deno.test("run finds out before any cell that its report cannot be written, exit 2", async () => {
  await using folder = await TestFolder.make({ file: "" });
  const { code, out, err } = await bench([...ONE, "-o", `${folder.path}/file/r.json`], {
    cwd,
    runs: `${folder.path}/runs`,
  });
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /^brownout: \S+\/file\/r\.json cannot be written: [a-z ]+; nothing was run\n$/);
});

Deno.test("run keeps a report that cannot be written at its end among the runs, and says where", async () => {
  await using folder = await TestFolder.make({});
  const runs = `${folder.path}/runs`;
  let said = "";
  // While its only cell has just ended somebody takes the folder away.
  const err = (text: string) => {
    if (said === "") {
      Deno.removeSync(`${folder.path}/out`, { recursive: true });
      Deno.writeTextFileSync(`${folder.path}/out`, "");
    }
    said += text;
  };
  const outputs = ["-o", `${folder.path}/out/r.json`, "-o", `${folder.path}/good/r.json`];
  const { code, out } = await bench([...ONE, ...outputs], { cwd, runs, err });
  assert.equal(code, 2);
  assert.match(
    said,
    /^brownout: \S+\/out\/r\.json cannot be written: [a-z ]+; the report is in \S+\/latest\/report\.json$/m,
  );
  const kept = await Deno.readTextFile(`${runs}/latest/report.json`);
  assert.equal(JSON.parse(kept).outcome, "pass");
  assert.equal(await Deno.readTextFile(`${folder.path}/good/r.json`), kept, "the others are written all the same");
  assert.match(out, /latest\/report\.json/);
});
