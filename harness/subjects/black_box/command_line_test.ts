import assert from "node:assert/strict";
import { knownBy, nameOf, splitWords } from "./command_line.ts";

Deno.test("splitWords() splits as a shell does, and expands nothing", () => {
  assert.deepEqual(splitWords("python my_agent.py"), ["python", "my_agent.py"]);
  assert.deepEqual(splitWords(` node  "my agent.mjs" 'a "b"' c\\ d "" $HOME *.ts`), [
    "node",
    "my agent.mjs",
    'a "b"',
    "c d",
    "",
    "$HOME",
    "*.ts",
  ]);
});

Deno.test("splitWords() says what is wrong", () => {
  assert.throws(() => splitWords("  "), /there is no command/);
  assert.throws(() => splitWords('node "x'), /a quote " has no end/);
});

Deno.test("nameOf() can be a part of a file's name, and is another for another command", () => {
  const name = (text: string) => nameOf("cmd", knownBy(splitWords(text)), splitWords(text));
  assert.match(name("python3 agents/my_agent.py --fast"), /^cmd-my_agent\.py-[0-9a-f]{6}$/);
  assert.match(name("./run"), /^cmd-run-[0-9a-f]{6}$/);
  assert.match(name(`node -e ${"x".repeat(99)}/..`), /^cmd-[A-Za-z0-9._-]{1,40}-[0-9a-f]{6}$/);
  assert.notEqual(name("python3 my_agent.py"), name("python3 my_agent.py --fast"));
  assert.equal(name("python3 my_agent.py"), name("python3  my_agent.py"));
});
