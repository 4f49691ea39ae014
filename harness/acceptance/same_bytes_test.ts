/** The same input gives the same bytes: run after run, however many cells run at once, wherever the machine stands. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { wholeLane } from "./same_bytes_child.ts";

const once = await wholeLane(1);

Deno.test("sim gives the same report and traces in a second run", async () => {
  assert.ok(once.split("\0").length > 8, "there are scenarios");
  assert.equal(await wholeLane(1), once);
});

for (const jobs of [4, 16]) {
  Deno.test(`sim gives the same report and traces with ${jobs} cells at once`, async () => {
    assert.equal(await wholeLane(jobs), once);
  });
}

Deno.test("sim gives the same report and traces whether connections are used again or not", async () => {
  assert.equal(await wholeLane(3, false), once);
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
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.equal(new TextDecoder().decode(stdout), once);
});
