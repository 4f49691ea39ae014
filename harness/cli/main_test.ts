import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "./commands.ts";
import { bench } from "./test_io.ts";

Deno.test("main() shows help on stdout, every command in it, at most 100 columns wide", async () => {
  const { code, out, err } = await bench(["--help"]);
  assert.deepEqual([code, err], [0, ""]);
  for (const { name } of COMMANDS) assert.match(out, new RegExp(`^ {2}${name} `, "m"));
  assert.ok(out.split("\n").every((line) => line.length <= 100));
  assert.match((await bench(["list", "--help"])).out, /^Usage: bench list/);
});

Deno.test("main() reports an unknown option in one line with the nearest, exit 2", async () => {
  assert.deepEqual(await bench(["--lnae", "sim"]), {
    code: 2,
    out: "",
    err: "brownout: unknown option '--lnae' (did you mean --lane?); see bench --help\n",
  });
  const { code, err } = await bench(["list", "--jsn"]);
  assert.equal(code, 2);
  assert.equal(err, "brownout: unknown option '--jsn' (did you mean --json?); see bench list --help\n");
});

Deno.test("main() reports a missing operand and one too many, exit 2", async () => {
  assert.match(
    (await bench(["explain"])).err,
    /^brownout: missing required argument 'scenario'; see bench explain --help\n$/,
  );
  assert.match((await bench(["explain", "a", "b"])).err, /^brownout: too many arguments .*\n$/);
  assert.equal((await bench(["explain", "a", "b"])).code, 2);
});

Deno.test("main() takes what is no command as a selector of run", async () => {
  for (const args of [["support", "-j", "0"], ["-j", "0"], ["run", "-j", "0"]]) {
    assert.deepEqual(await bench(args), {
      code: 2,
      out: "",
      err: 'brownout: --jobs "0" is not allowed; give a whole number from 1 to 1024\n',
    });
  }
});

Deno.test("main() exits 5 when nothing is selected, and tells what there is", async () => {
  const { code, out, err } = await bench(["validate", "no-such-scenario"]);
  assert.deepEqual([code, out], [5, ""]);
  assert.match(
    err,
    /^brownout: no scenario matches "no-such-scenario"[^\n]*; crews: brief, research, review, support[^\n]*\n$/,
  );
});

Deno.test("main() makes hostile arguments visible", async () => {
  for (const args of [["list", "\u001b[31m\nx"], ["--\u001b[31m"], ["run", "--lane", "\u001b]0;x\u0007"]]) {
    const { err } = await bench(args);
    // deno-lint-ignore no-control-regex -- looking for control characters is what it is for
    assert.doesNotMatch(err, /[\u0000-\u0009\u000b-\u001f]/);
    assert.equal(err.split("\n").length, 2);
  }
});

Deno.test("main() prints one line for an unexpected error, and the stack only when asked", async () => {
  const broken = {
    out: () => {
      throw new Error("disk\nfull");
    },
  };
  const plain = await bench(["list"], broken);
  assert.equal(plain.code, 3);
  assert.equal(plain.err, "brownout: internal error: Error: disk full\nrun with BROWNOUT_DEBUG=1 for the stack\n");
  const debug = await bench(["list"], { ...broken, env: (name) => name === "BROWNOUT_DEBUG" ? "1" : undefined });
  assert.match(debug.err, /^brownout: internal error: Error: disk full\nError: disk\nfull\n {4}at /);
});

Deno.test("main() exits 130 when the user interrupts", async () => {
  assert.equal((await bench(["list"], { signal: AbortSignal.abort() })).code, 130);
});

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

async function spawned(args: readonly string[], flags: readonly string[]): Promise<[number, string, string]> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", ...flags, MAIN, ...args],
    cwd: PROJECT,
    env: { NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await command.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return [code, decode(stdout), decode(stderr)];
}

Deno.test("bench runs as a process, with no more permission than to read the project and two variables", async () => {
  const yaml = "--allow-env=LOG_TOKENS,LOG_STREAM";
  const [code, out, err] = await spawned(["list", "--json"], ["--allow-read=.", yaml]);
  assert.deepEqual([code, err], [0, ""]);
  assert.ok(JSON.parse(out).every(({ name, crew, file }: Record<string, unknown>) => name && crew && file));
  const [failed, nothing, why] = await spawned(["explain", "nope"], ["--allow-read=.", yaml]);
  assert.deepEqual([failed, nothing], [5, ""]);
  assert.match(why, /^brownout: no scenario matches "nope"/);
});

Deno.test("bench shows help without loading what only commands need", async () => {
  const [code, out, loaded] = await spawned(["--help"], ["--allow-read=.", "--log-level=debug"]);
  assert.equal(code, 0);
  assert.match(out, /^Usage: bench/);
  assert.match(loaded, /commander/);
  for (const heavy of ["/zod/", "/yaml/", "modelcontextprotocol"]) {
    const lines = loaded.split("\n").filter((line) => line.includes(heavy) && /\.(js|cjs|mjs|ts)\b/.test(line));
    assert.deepEqual(lines, [], heavy);
  }
});

Deno.test("main() refuses two subjects in one line that says how two are compared, exit 2", async () => {
  for (const command of [["run"], ["gate"], []]) {
    const { code, out, err } = await bench([...command, "--subject", "reference", "--subject=liar"]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^brownout: --subject is given twice, .*bench run --subject A -o a\.json, .*bench compare .*\n$/);
  }
  const { err } = await bench(["run", "--subject", "reference", "-j", "0"]);
  assert.match(err, /--jobs "0" is not allowed/, "what is given once is no second time in another command line");
});
