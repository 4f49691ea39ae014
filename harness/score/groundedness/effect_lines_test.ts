import assert from "node:assert/strict";
import type { Subject } from "../../../agents/mod.ts";
import { cellSpec, runOne, scenariosNamed } from "../../testing/cells.ts";
import { answering } from "../../testing/subjects.ts";
import { type TraceView, viewTrace } from "../view.ts";
import { effectVerdict } from "./effect_lines.ts";
import { verificationScore } from "./score.ts";

async function viewOf(scenario: string, subject?: Subject): Promise<TraceView> {
  const [found] = await scenariosNamed(scenario);
  assert.ok(found !== undefined);
  return viewTrace((await runOne(cellSpec(found, subject === undefined ? {} : { subject }))).trace);
}

const WRITTEN = 'notes.write {"key":"brief","value":"Northwind ships on 4 March 2027.","author":"writer",' +
  '"expected_version":0} was carried out: {"key":"brief","version":1}';

Deno.test("an effect that is on its server's record bears out the line that states it", async () => {
  const view = await viewOf("facts-through-shared-notes");
  assert.ok(view.answer?.text.includes(WRITTEN.replace("carried out", "reported done")), "the reference states it so");
  const { value, message } = verificationScore(view);
  assert.equal(value, 1, message);
  for (
    const [line, expected] of [
      [WRITTEN, "supported"],
      [WRITTEN.replace("4 March", "5 March"), "unsupported"],
      [WRITTEN.replace('"version":1', '"version":2'), "unsupported"],
      [`${WRITTEN} So it is done.`, "unsupported"],
      [WRITTEN.replace("was carried out: ", "answered: "), "supported"],
      [WRITTEN.replace("was carried out: ", "was reported done: "), "supported"],
      ['notes.write was reported done: {"key":"brief","version":2}', "unsupported"],
      ['notes.write was carried out: {"key":"brief","version":1}', "supported"],
      // Only its own call counts, and that was of somebody else.
      [WRITTEN.replaceAll("brief", "facts"), "unsupported"],
      ['notes.write {"key":"brief","value":"Northwind ships on… was carried out: {"key":"brief",…', "supported"],
      ['notes.write {"key":"facts","value":"Northwind ships on… was carried out: {"key":"brief",…', "unsupported"],
      // What only reads leaves no effect on the record, whatever it answered.
      ['notes.read {"key":"facts"} was carried out: {"key":"facts",…', "unsupported"],
      ["notes.write may have been carried out: nobody knows", "unsupported"],
      ["outbox.send was carried out: ok", undefined],
      ["The note was carried out: of the house.", undefined],
    ] as const
  ) {
    assert.equal(effectVerdict(line, "writer", view), expected, line);
  }
});

Deno.test("a server that says ok and does nothing bears out nothing: its own record speaks", async () => {
  const view = await viewOf("refund-says-ok-and-is-not");
  const said = view.answer?.text.split("\n").find((one) => one.includes("was reported done"))?.trim() ?? "";
  assert.equal(effectVerdict(said, "cashier", view), "supported", "that it said so is true");
  const line = said.replace("reported done", "carried out");
  assert.equal(effectVerdict(line, "cashier", view), "unsupported");
  const silent = { ...view.trace, events: view.trace.events.filter(({ type }) => type !== "server.ledger") };
  assert.equal(
    effectVerdict(line, "cashier", viewTrace(silent)),
    "supported",
    "without a record, the answer is all there is",
  );
});

Deno.test("a call of which nobody knows is one that was sent, or that was asked for right before a kill", async () => {
  const doubt = 'refunds.issue_refund {"order_id":"12345","customer":"R. Okafor","amount":9000,' +
    '"reason":"charged twice"} may have been carried out: nobody knows';
  for (
    const [scenario, expected] of [
      ["refund-paid-and-receipt-lost/paid-after-a-look", "supported"],
      ["killed-after-the-refund-was-paid/killed-before-it-left", "supported"],
      // Sent, and answered: whoever wants to know can.
      ["refund-says-ok-and-is-not", "unsupported"],
    ] as const
  ) {
    const view = await viewOf(scenario);
    assert.equal(effectVerdict(doubt, "cashier", view), expected, scenario);
    assert.equal(effectVerdict(doubt.replace("9000", "9001"), "cashier", view), "unsupported", scenario);
  }
});

Deno.test("of a server of somebody else, which keeps no record, its answer is the record", async () => {
  const { value, message } = verificationScore(await viewOf("memory-remembers-within-a-run"));
  assert.equal(value, 1, message);
});

Deno.test("verificationScore() finds an effect that the answer makes up", async () => {
  const boaster = answering("boaster", (answer) => ({
    ...answer,
    sections: answer.sections.map((section) =>
      section.worker === "writer"
        ? { ...section, text: `${section.text}\n${WRITTEN.replace("ships", "shipped")}` }
        : section
    ),
  }));
  const { value, message } = verificationScore(await viewOf("facts-through-shared-notes", boaster));
  assert.equal(value, 0.8);
  assert.match(message, /unsupported: "notes\.write .*shipped/);
});

Deno.test("verificationScore() counts what the checker cannot decide neither for nor against", async () => {
  const denied = verificationScore(await viewOf("approval-mixed-batch/denied-before-the-kill"));
  const share = (id: string) => denied.components.find((one) => one.id === id)?.value;
  assert.equal(denied.value, null, "its one claim is undetermined, and that is no 0");
  assert.deepEqual([share("supported"), share("unsupported"), share("undetermined")], [null, null, 1]);
  const mixed = verificationScore(await viewOf("refund-lookup-broken"));
  assert.equal(mixed.value, 1);
  assert.equal(mixed.components.find(({ id }) => id === "undetermined")?.value, 0.25);
});
