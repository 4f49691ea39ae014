import assert from "node:assert/strict";
import { cellId } from "../../trace/event.ts";
import { findSubject, listSubjects } from "../registry.ts";

Deno.test("findSubject() takes any command and any server on this machine, under names that a file can bear", () => {
  const command = findSubject("cmd: python3 agents/my_agent.py --fast");
  assert.deepEqual([command.kind, command.lanes, command.shows], ["command", ["wire"], []]);
  const server = findSubject("http://localhost:8080/answer?x=1");
  assert.deepEqual([server.kind, server.lanes, server.shows], ["http", ["wire"], []]);
  assert.equal(findSubject("http://127.0.0.1:8080/answer?x=1").name, server.name, "the same server by another name");
  for (const { name } of [command, server]) {
    const cell = {
      scenario: "x",
      variant: null,
      lane: "wire",
      subject: name,
      model: "scripted",
      seed: "0",
      repeat: 1,
    } as const;
    assert.match(cellId(cell), /^x@wire,subject=[A-Za-z0-9._-]+$/);
    assert.ok(!listSubjects().some((one) => one.name === name));
  }
});
