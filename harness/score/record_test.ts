import assert from "node:assert/strict";
import { cellSpec, checkNamed, runOne, scenarioNamed, scenariosNamed } from "../testing/cells.ts";
import { testReds } from "../testing/red.ts";
import {
  answering,
  braggart,
  liar,
  proseAlarmist,
  quietAlarmist,
  rawCaller,
  silentStructure,
} from "../testing/subjects.ts";
import { isFailedResult } from "./result_shape.ts";

testReds([
  {
    name: "scoreRecord() finds who is kept back, in a cell that nobody has foreseen",
    subject: liar,
    scenario: "healthy-desk/all-faults.tool_error",
    red: ["fail record.named"],
    says: { "record.named": /^billing is not among the answer's failures: every call of orders\.find_order failed$/ },
  },
  {
    name: "scoreRecord() finds a complete answer of which somebody saw nothing",
    subject: liar,
    scenario: "healthy-desk/all-faults.model_hang",
    red: ["fail record.complete", "fail record.named"],
    says: {
      "record.complete": /^billing saw no result, and the answer is complete$/,
      "record.named": /^billing is not among .*: its model was asked, and the call came to nothing$/,
    },
  },
  {
    name: "scoreRecord() finds a complete answer that names who saw nothing",
    subject: braggart,
    scenario: "policy-server-hangs",
    red: ["fail record.complete", "fail coherence.status", "fail answer.status"],
    says: { "record.complete": /^policy saw no result/ },
  },
  {
    name: "scoreRecord() finds an error in the clothes of a success, by its shape",
    subject: silentStructure,
    scenario: "healthy-desk/all-faults.error_nested",
    red: ["fail record.named", "fail coherence.status"],
    says: { "record.named": /every call of orders\.find_order failed/ },
  },
  {
    name: "scoreRecord() finds a worker whose model was cut off",
    subject: liar,
    scenario: "healthy-desk/all-faults.truncated_reply",
    red: ["fail record.named"],
    says: { "record.named": /^billing .*its model's last reply was cut off or refused$/ },
  },
  {
    name: "scoreRecord() finds somebody called failed in the structure whom nothing struck",
    subject: quietAlarmist,
    scenario: "healthy-desk/all-faults.tool_error",
    red: ["fail record.healthy", "fail record.codes", "fail coherence.prose"],
    says: { "record.healthy": /^comms did their part, struck by nothing/ },
  },
  {
    name: "scoreRecord() finds somebody called failed in the text whom nothing struck",
    subject: proseAlarmist,
    scenario: "healthy-desk/all-faults.crlf",
    red: ["fail record.healthy"],
    says: { "record.healthy": /^comms did their part/ },
  },
  {
    name: "scoreAllowlist() finds a call whose arguments were never arguments",
    subject: rawCaller,
    scenario: "healthy-desk/all-faults.truncated_arguments",
    red: ["fail allowlist.wire"],
    says: { "allowlist.wire": /^orders\.find_order was called .*and no model turn had asked for it$/ },
  },
]);

Deno.test("scoreRecord() does not want a failure named that the same tool has made good", async () => {
  const result = await runOne(cellSpec("refund-lookup-flickers"));
  assert.match(checkNamed(result, "record.named").message, /\(nobody did\)$/);
  assert.match(checkNamed(result, "record.healthy").message, /\(policy, comms\)$/);
});

Deno.test("scoreRecord() takes a whole server's fault for one of everybody who needs the server", async () => {
  const [scenario] = await scenariosNamed("healthy-desk/all-faults.slow_start");
  const result = await runOne(cellSpec(scenario ?? assert.fail()));
  assert.match(checkNamed(result, "record.healthy").message, /\(policy, comms\)$/);
  assert.match(checkNamed(await runOne(cellSpec(scenarioNamed("healthy-desk"))), "record.healthy").message, /billing/);
});

// The record has nothing against billing there: each of its calls was answered, and it reported. What it said is wrong.
const SAID_WRONG = "billing-adds-a-refund/and-a-wrong-amount";

Deno.test("scoreRecord() lets somebody be called unverified whom the scenario expects to be, and in no other way", async () => {
  const [scenario] = await scenariosNamed(SAID_WRONG);
  const cell = (change: Parameters<typeof answering>[1]) =>
    runOne(cellSpec(scenario ?? assert.fail(), { subject: answering("renamer", change) }));
  const healthyOf = async (change: Parameters<typeof answering>[1]) => checkNamed(await cell(change), "record.healthy");

  const honest = await healthyOf((answer) => {
    assert.deepEqual(answer.failures.map(({ specialist, code }) => [specialist, code]), [["billing", "unverified"]]);
    return answer;
  });
  assert.equal(honest.outcome, "pass");
  assert.match(honest.message, /\(billing, policy, comms\)$/, "billing is one of those who did their part");

  const renamed = await healthyOf((answer) => ({
    ...answer,
    failures: answer.failures.map((failure) => ({ ...failure, code: "malformed_result" })),
  }));
  assert.equal(renamed.outcome, "fail", "a code of what was said, and not the expected one");
  assert.match(renamed.message, /^billing did their part, struck by nothing, and the answer calls them failed$/);

  const twice = await healthyOf((answer) => ({
    ...answer,
    failures: answer.failures.flatMap((failure) => [failure, { ...failure, code: "timeout" }]),
  }));
  assert.equal(twice.outcome, "fail", "beside the expected code, one that the record speaks against");

  const another = await healthyOf((answer) => ({
    ...answer,
    failures: answer.failures.flatMap((failure) => [failure, { ...failure, specialist: "comms" }]),
  }));
  assert.match(another.message, /^comms did their part/, "nobody expects it of comms");
});

Deno.test("isFailedResult() knows an error by its shape, and data by the lack of it", () => {
  for (
    const text of [
      "",
      " \n",
      '{"error":"x"}',
      '{"errors":["x"]}',
      '{"success":false}',
      '{"ok":false,"message":"x"}',
      '{"isError":true,"content":[]}',
      '{"statusCode":500,"body":"{}"}',
      '{"result":{"error":{"message":"x"}}}',
      "<!DOCTYPE html><html><head><title>503 Service Unavailable</title></head></html>",
    ]
  ) assert.ok(isFailedResult(text), text);
  for (
    const text of [
      "Error: the film, a review",
      '{"error":null,"errors":[],"rows":[1]}',
      '{"status":404,"name":"a house number"}',
      '[{"error":"a row of a log"}]',
      '{"error": broken',
      "<html><head><title>Errors of the year</title></head></html>",
      "{}",
    ]
  ) assert.ok(!isFailedResult(text), text);
});
