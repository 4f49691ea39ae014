/** What a gate leaves for machines: files, and annotations of GitHub Actions. */
import assert from "node:assert/strict";
import { reference } from "../../agents/mod.ts";
import { UsageError } from "../cli/exit.ts";
import { answering } from "../testing/subjects.ts";
import { GateFolder, subjectsOf } from "./testing.ts";

const GOLDEN = "reports/golden/support/broken-policy-server.json";
const SCENARIO = "scenarios/support/broken-policy-server.yaml";

Deno.test("gate writes its verdict into every file that it is asked for, red and green", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  const outputs = ["out.json", "out.md", "deep/out.xml"].map((name) => `${folder.place.base}/${name}`);
  const texts = () => Promise.all(["out.json", "out.md", "deep/out.xml"].map((name) => folder.read(name)));

  assert.equal((await folder.gate({ outputs })).code, 0);
  const [json = "", md = "", xml = ""] = await texts();
  assert.deepEqual(JSON.parse(json), { changes: [], problems: [] });
  assert.match(md, /^## Brownout gate: pass\n\n\d+ cells run; \d+ pass, 0 fail, 0 error\.\n$/);
  assert.match(xml, /<testsuites name="Brownout gate" tests="\d+" failures="0" errors="0" skipped="0">/);
  assert.match(xml, /<testcase classname="support" name="broken-policy-server" file="reports\/golden\/support\//);

  // What a server has said is quoted, and must be nothing but text in each of them.
  await folder.edit(SCENARIO, "policy-db connection refused", `"</failure> 'x' | <script> & ]]>"`);
  await folder.edit("reports/golden/README.md", "| pass |", "| fail |");
  const red = await folder.gate({ outputs });
  assert.equal(red.code, 1);
  const [redJson = "", redMd = "", redXml = ""] = await texts();
  assert.deepEqual(JSON.parse(redJson).changes.map(({ where }: { where: string }) => where).sort(), [
    "broken-policy-server",
    "reports/golden/README.md",
  ]);
  assert.match(redMd, /^## Brownout gate: \*\*red\*\*\n/);
  assert.match(redMd, /^- fail `broken-policy-server`\n {2}- .*the answer/m);
  assert.doesNotMatch(redMd, /<script>/);
  assert.match(redXml, / failures="2" errors="0" /);
  assert.match(redXml, /<testcase classname="gate" name="reports\/golden\/README\.md"/);
  assert.equal(redXml.match(/<\/failure>/g)?.length, 2, "what is quoted ends nothing");
});

Deno.test("gate tells what is wrong with files in its outputs, too, with their lines", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  await folder.edit(SCENARIO, "story:", "stroy:");
  const outputs = [`${folder.place.base}/out.md`, `${folder.place.base}/out.xml`];
  const { code, out } = await folder.gate({ outputs }, { GITHUB_ACTIONS: "true" });
  assert.equal(code, 2);
  assert.match(await folder.read("out.md"), /- error `scenarios\/support\/broken-policy-server\.yaml:\d+`\n.*stroy/);
  assert.match(await folder.read("out.xml"), /<error message="unknown key &quot;stroy&quot;/);
  assert.match(
    out,
    /^::error file=scenarios\/support\/broken-policy-server\.yaml,line=\d+,col=1,title=gate%3A .*::.*unknown key "stroy"/m,
  );
});

Deno.test("gate annotates each golden that has changed, and what it quotes is no command", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  assert.doesNotMatch((await folder.gate()).out, /::/, "only for GitHub");
  const green = await folder.gate({}, { GITHUB_ACTIONS: "true" });
  assert.match(green.out, /^::notice title=Brownout gate::\d+ cells: all as the goldens/m);

  await folder.edit(SCENARIO, "policy-db connection refused", '"%0A::add-mask::x ##[error]y"');
  const { code, out } = await folder.gate({}, { GITHUB_ACTIONS: "true" });
  assert.equal(code, 1);
  const [, token, quoted, after] = /^::stop-commands::(\S+)\n(.*)^::\1::\n(.*)$/ms.exec(out) ?? [];
  assert.ok(token !== undefined && token.length >= 32);
  assert.match(quoted ?? "", /add-mask/, "the text itself is shown where nothing is obeyed");
  const lines = (after ?? "").trimEnd().split("\n");
  assert.deepEqual(lines.map((line) => /^::(\w+) /.exec(line)?.[1]), ["error", "notice"]);
  assert.match(lines[0] ?? "", new RegExp(`^::error file=${GOLDEN},title=gate%3A broken-policy-server::`));
  assert.doesNotMatch(lines[0] ?? "", /%0A/, "a percent sign is escaped");
  assert.match(lines[0] ?? "", /%250A/);
});

Deno.test("gate annotates what a subject gets wrong at no file: no golden is about it", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  const mute = answering("mute", (answer) => ({ ...answer, text: "", failures: [] }));
  const subjects = subjectsOf(reference, mute);
  const { code, out } = await folder.gate({ subjects, subject: "mute" }, { GITHUB_ACTIONS: "true" });
  assert.equal(code, 1);
  assert.match(out, /^::error title=gate%3A mute%3A broken-policy-server::mute: broken-policy-server: not expected: /m);
});

Deno.test("gate --json leaves stdout to data: its annotations go to stderr", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  await folder.edit(GOLDEN, '"makespan": 500', '"makespan": 400');
  const { out, err } = await folder.gate({ json: true }, { GITHUB_ACTIONS: "true" });
  assert.equal(JSON.parse(out).changes.length, 3, "the cell, its file and the table");
  assert.equal(err.match(/^::error file=/gm)?.length, 3);
});

Deno.test("gate refuses a file among what it compares with, by whatever path, before it runs anything", async () => {
  await using folder = await GateFolder.make();
  await folder.golden();
  const { base } = folder.place;
  const before = await folder.goldens();
  await Deno.mkdir(`${base}/reports/runs`);
  // By a command: Deno makes links only for those who may write everywhere.
  await new Deno.Command("ln", { args: ["-s", `${base}/reports/golden`, `${base}/reports/runs/link`] }).output();
  await new Deno.Command("ln", { args: ["-s", `${base}/${GOLDEN}`, `${base}/reports/runs/one.json`] }).output();
  for (
    const [path, place] of [
      [GOLDEN, "reports/golden"],
      ["reports/golden/README.md", "reports/golden"],
      ["reports/golden/new/deep/x.xml", "reports/golden"],
      ["reports/runs/link/new.json", "reports/golden"],
      ["reports/runs/one.json", "reports/golden"],
      ["reports/expected_failures/x.json", "reports/expected_failures"],
      ["scenarios/support/x.json", "scenarios"],
    ] as const
  ) {
    await assert.rejects(folder.gate({ outputs: [`${base}/reports/runs/a.json`, `${base}/${path}`] }), (error) => {
      assert.ok(error instanceof UsageError, path);
      assert.match(
        error.message,
        new RegExp(` is in ${place}, which a gate compares with and never writes; give a file`),
      );
      return true;
    });
  }
  assert.equal(await folder.goldens(), before);
  assert.equal((await folder.gate({ outputs: [`${base}/reports/golden.json`] })).code, 0, "beside it is not in it");
});

Deno.test("gate refuses a file before it runs anything", async () => {
  await using folder = await GateFolder.make();
  for (
    const [path, message] of [
      [`${folder.place.base}/out.html`, /the extension tells the format; allowed: \.json, \.md, \.xml$/],
      ["/proc/out.md", /may not be written: a gate writes below reports\/runs and \/tmp/],
    ] as const
  ) {
    await assert.rejects(folder.gate({ outputs: [path] }), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      return true;
    });
  }
  await folder.write("file", "");
  await assert.rejects(folder.gate({ outputs: [`${folder.place.base}/file/out.md`] }), {
    message: /file\/out\.md cannot be written: [a-z ]+; nothing was run$/,
  });
  await Deno.mkdir(`${folder.place.base}/folder.md`);
  await assert.rejects(folder.gate({ outputs: [`${folder.place.base}/folder.md`] }), { message: /is a folder$/ });
});
