import assert from "node:assert/strict";
import { digest } from "../../core/mod.ts";
import { AgentMessage } from "../contracts.ts";
import { messagesIn } from "./messages.ts";
import { packetFor } from "./packets.ts";
import { CREW, failedReport, report, task } from "./testing.ts";

Deno.test("messagesIn() gives one message for each note that a packet carries, from whoever found it", () => {
  const comms = task("comms", "comms", { dependsOn: ["policy", "billing"] });
  // The second attempt at the task was somebody else's.
  const reports = [
    report("billing"),
    failedReport("policy", "tool_error"),
    report("policy", { worker: "billing" }),
  ];
  const packet = packetFor(comms, CREW, reports);
  const messages = messagesIn(packet, reports);
  assert.deepEqual(messages.map(({ sender, receiver }) => [sender, receiver]), [
    ["billing", "comms"],
    ["billing", "comms"],
  ]);
  assert.deepEqual(messages.map(({ metadata }) => metadata), [
    { from: "policy", to: "comms", hash: digest(packet) },
    { from: "billing", to: "comms", hash: digest(packet) },
  ]);
  for (const message of messages) {
    assert.deepEqual(AgentMessage.parse(message), message);
    assert.ok(Object.values(packet.inputs).includes(message.content));
  }
});

Deno.test("messagesIn() gives none for a packet that depends on nobody", () => {
  assert.deepEqual(messagesIn(packetFor(task("billing"), CREW, []), []), []);
});
