/** The same input gives the same bytes: run after run, however many cells run at once, wherever the machine stands. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { sampleOfSim } from "./same_bytes_child.ts";

const once = await sampleOfSim(1);

Deno.test("sim gives the same report and traces in a second run", async () => {
  assert.ok(once.split("\0").length > 50, "there are scenarios");
  const begins = [/^\{/, /^\{.*\n\{/, /^## Brownout: /, /^<\?xml /, /^<!doctype html>/];
  for (const [i, begin] of begins.entries()) assert.match(once.split("\0")[i] ?? "", begin, "in every form");
  assert.equal(await sampleOfSim(1), once);
});

Deno.test("sim gives the same report and traces with 16 cells at once", async () => {
  assert.equal(await sampleOfSim(16), once);
});

Deno.test("sim gives the same report and traces whether connections are used again or not", async () => {
  assert.equal(await sampleOfSim(3, false), once);
});

Deno.test("sim gives the same report and traces in another place: time zone, language, folder, process", async () => {
  const script = fileURLToPath(new URL("./same_bytes_child.ts", import.meta.url));
  const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
  const project = fileURLToPath(new URL("../../", import.meta.url));
  const { DENO_DIR, HOME, PATH } = Deno.env.toObject();
  const env = {
    ...(DENO_DIR === undefined ? {} : { DENO_DIR }),
    ...(HOME === undefined ? {} : { HOME }),
    ...(PATH === undefined ? {} : { PATH }),
    TZ: "Pacific/Chatham",
    LANG: "tr_TR.UTF-8",
    LC_ALL: "tr_TR.UTF-8",
  };
  const args = [
    "run",
    "--quiet",
    "--no-prompt",
    "--cached-only",
    "--config",
    config,
    `--allow-read=${project}`,
    "--allow-env",
    script,
  ];
  const command = new Deno.Command(Deno.execPath(), { args: [...args], env, clearEnv: true, cwd: "/tmp" });
  const { code, stdout, stderr } = await command.output();
  const said = new TextDecoder().decode(stderr);
  assert.equal(code, 0, said);
  assert.equal(said, "Pacific/Chatham tr-TR /tmp\n", "the place is another one");
  assert.equal(new TextDecoder().decode(stdout), once);
});
