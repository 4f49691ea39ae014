/** Goldens are the same bytes wherever they are written: time zone, language, folder, process, cells at once. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { GateFolder } from "./testing.ts";

const PLACES = [
  { TZ: "Pacific/Chatham", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", jobs: "8", cwd: "/tmp" },
  { TZ: "America/St_Johns", LANG: "ar_EG.UTF-8", LC_ALL: "ar_EG.UTF-8", jobs: "1", cwd: "/" },
] as const;

Deno.test("golden writes the same bytes in another place, and gate is content with those of another", async () => {
  await using here = await GateFolder.make();
  assert.equal((await here.golden()).code, 0);
  const bytes = await here.goldens();
  for (const { jobs, cwd, ...env } of PLACES) {
    await using there = await GateFolder.make();
    const first = await inPlace(there, jobs, cwd, env);
    assert.equal(first.code, 0, first.err);
    assert.match(first.err, /4 written/);
    assert.ok(first.err.startsWith(`${env.TZ} ${env.LANG.slice(0, 5).replace("_", "-")} `), first.err);
    assert.ok(first.err.includes(` ${cwd}\n`), "another folder");
    assert.equal(await there.goldens(), bytes);
    // A second time, on goldens that another process in another place has written.
    const second = await inPlace(here, jobs, cwd, env);
    assert.equal(second.code, 0, second.err);
    assert.match(second.err, /0 written, 0 deleted/);
  }
});

async function inPlace(
  folder: GateFolder,
  jobs: string,
  cwd: string,
  place: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly err: string }> {
  const url = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const { DENO_DIR, HOME, PATH } = Deno.env.toObject();
  const kept = Object.entries({ DENO_DIR, HOME, PATH }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const]
  );
  const args = [
    "run",
    "--quiet",
    "--no-prompt",
    "--cached-only",
    "--config",
    url("../../deno.json"),
    `--allow-read=${url("../../")},${folder.place.base}`,
    `--allow-write=${folder.place.goldens}`,
    "--allow-env=CI,INIT_CWD,NO_COLOR,BROWNOUT_DEBUG,LOG_TOKENS,LOG_STREAM",
    url("./same_bytes_child.ts"),
    folder.place.base,
    jobs,
  ];
  const env = { ...Object.fromEntries(kept), ...place };
  const { code, stderr } = await new Deno.Command(Deno.execPath(), { args, env, clearEnv: true, cwd }).output();
  return { code, err: new TextDecoder().decode(stderr) };
}
