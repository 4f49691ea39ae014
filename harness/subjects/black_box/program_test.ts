import assert from "node:assert/strict";
import { programDigest, programFiles } from "./program.ts";

Deno.test("programDigest() changes with the files that a command names and those of their kind beside them, and with no other", async () => {
  const folder = await Deno.makeTempDir();
  const write = (name: string, text: string) => Deno.writeTextFileSync(`${folder}/${name}`, text);
  const words = ["python3", "agent.py", "--config=desk.toml", "12345"];
  const seen = new Set<string>();
  /** Whether it is one that was not there before. */
  const isNew = () => {
    const now = programDigest(words, folder);
    assert.equal(programDigest(words, folder), now);
    return seen.size < seen.add(now).size;
  };
  try {
    assert.ok(isNew(), "without any file");
    for (const name of ["agent.py", "desk.toml", "crew.py"]) {
      write(name, "1");
      assert.ok(isNew(), `${name} is new`);
      write(name, "2");
      assert.ok(isNew(), `${name} has changed`);
    }
    write("answer.json", "{}");
    assert.ok(!isNew(), "what it writes is no part of it");
    Deno.renameSync(`${folder}/crew.py`, `${folder}/team.py`);
    assert.ok(isNew(), "renamed");
    write("agent.py", "x".repeat(9 * 2 ** 20));
    assert.ok(isNew(), "too long to be read whole");
    write("agent.py", "x".repeat(9 * 2 ** 20 + 1));
    assert.ok(isNew(), "and longer");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("programDigest() is quick with a text that is made to keep a search busy", async () => {
  const folder = await Deno.makeTempDir();
  const long = 200_000;
  const texts = {
    "a.js": `from${" ".repeat(long)}x`,
    "b.py": `from ${".".repeat(long)}`,
    "c.py": `from ${" ".repeat(long)}(`,
    "d.py": "from x import (\n".repeat(long / 8),
  };
  try {
    for (const [name, text] of Object.entries(texts)) {
      Deno.writeTextFileSync(`${folder}/${name}`, text);
      // Where each place is tried again from each other one, it takes minutes.
      assert.match(programDigest(["node", name], folder), /^[0-9a-f]{16}$/);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** A program of several folders, and whether it is another one after each change. */
async function withProgram(files: Record<string, string>, test: (folder: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      Deno.mkdirSync(`${folder}/${name.split("/").slice(0, -1).join("/")}`, { recursive: true });
      Deno.writeTextFileSync(`${folder}/${name}`, text);
    }
    test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (
  const [what, words, files, expected] of [
    [
      "Node's imports, and what is said of its packages",
      ["node", "src/agent.mjs"],
      {
        "src/agent.mjs": 'import { a } from "../lib/a.js";\nconst b = await import("./deep/b.mjs");\nimport "openai";',
        "src/package.json": "{}",
        "lib/a.ts": 'export * from "./c";\nimport "../../outside.js";',
        "lib/c/index.js": 'const data = require("../data.json");\nrequire("../../src/agent.mjs");',
        "lib/data.json": "{}",
        "src/deep/b.mjs": "",
        "lib/unused.ts": "",
        "src/answer.json": "{}",
      },
      ["../lib/a.ts", "../lib/c/index.js", "../lib/data.json", "agent.mjs", "deep/b.mjs", "package.json"],
    ],
    [
      "Python's modules, relative ones and packages",
      ["python3", "desk/agent.py"],
      {
        "desk/agent.py": "import os, crew.tools as tools\nfrom crew import (\n    plans,  # all\n    words as w,\n)\n",
        "desk/requirements.txt": "x",
        "desk/crew/__init__.py": "from . import late\n",
        "desk/crew/tools.py": "    from .deep.er import nothing\n",
        "desk/crew/plans.py": "from ..shared import all_of_it\nimport json\n",
        "desk/crew/words.py": "",
        "desk/crew/late.py": "",
        "desk/crew/deep/er.py": "",
        "desk/shared.py": "",
        "desk/crew/unused.py": "",
      },
      [
        ...["agent.py", "crew/__init__.py", "crew/deep/er.py", "crew/late.py", "crew/plans.py", "crew/tools.py"],
        ...["crew/words.py", "requirements.txt", "shared.py"],
      ],
    ],
    [
      "a module that is started by its name",
      ["python3", "-m", "desk.agent"],
      { "desk/agent.py": "from desk.sub import one\n", "desk/sub/one.py": "" },
      ["agent.py", "sub/one.py"],
    ],
  ] as const
) {
  Deno.test(`programFiles() follows ${what}, and sees a change in each`, async () => {
    await withProgram(files, (folder) => {
      assert.deepEqual([...programFiles(words, folder).names].sort(), expected);
      let before = programDigest(words, folder);
      for (const [name, text] of Object.entries(files)) {
        const own = [...programFiles(words, folder).names].some((one) =>
          `/${name}`.endsWith(`/${one.replace("../", "")}`)
        );
        Deno.writeTextFileSync(`${folder}/${name}`, `${text}\n`);
        const now = programDigest(words, folder);
        assert.equal(now !== before, own, name);
        before = now;
      }
    });
  });
}

Deno.test("programFiles() is the same in a checkout elsewhere, and follows no import out of the folder", async () => {
  const files = { "here/agent.js": 'import "../there.js";\nimport "./a/b.js";', "here/a/b.js": "", "there.js": "" };
  const digests: string[] = [];
  for (let n = 0; n < 2; n++) {
    await withProgram(files, (folder) => {
      const { names, digest } = programFiles(["node", "agent.js"], `${folder}/here`);
      assert.deepEqual(names, ["agent.js", "a/b.js"]);
      digests.push(digest);
    });
  }
  assert.equal(digests[0], digests[1]);
});
