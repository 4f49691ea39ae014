import assert from "node:assert/strict";
import { CREWS } from "../../agents/mod.ts";
import { approvalPlaces } from "./approval_places.ts";
import type { At } from "./issues.ts";
import { problemsOf, SOUND } from "./test_folder.ts";

const ruled = (rule: string) => problemsOf(`${SOUND}crew_overrides:\n  approval:\n    - ${rule}\n`);

Deno.test("the approval rules of every crew are about tools and arguments that there are", () => {
  for (const crew of CREWS.values()) {
    const at: At = (path, message) => ({
      ...{ file: crew.name, line: 1, column: 1 },
      message: `${path.map(String).join(".")} ${message}`,
    });
    assert.deepEqual([...approvalPlaces(crew, at)], []);
  }
});

Deno.test("validateScenario() refuses an approval rule about a tool that there is not", async () => {
  for (
    const [tool, meant] of [["refunds.issue_refnd", "refunds.issue_refund"], [
      "outbox.send_mesage",
      "outbox.send_message",
    ]]
  ) {
    const [line = "", ...others] = await ruled(`{ rule: ask, tools: [${tool}] }`);
    assert.deepEqual(others, []);
    assert.ok(
      line.startsWith(`x.yaml:18:28 unknown tool "${tool}" (did you mean "${meant}"?); allowed: orders.find_order, `),
      line,
    );
  }
});

Deno.test("validateScenario() takes approval rules about a tool or a whole server", async () => {
  for (const tool of ["refunds.issue_refund", "refunds.", "refunds"]) {
    assert.deepEqual(await ruled(`{ rule: total, tools: [${tool}], amount: amount, per: customer, max: 9 }`), []);
  }
});

Deno.test("validateScenario() refuses an approval rule about an argument that its tools do not take", async () => {
  const total = (more: string) => ruled(`{ rule: total, tools: [refunds.issue_refund], max: 9, ${more} }`);
  assert.match(
    (await total("amount: amuont, per: customer")).join("\n"),
    /^x\.yaml:18:\d+ unknown argument of refunds\.issue_refund "amuont" \(did you mean "amount"\?\); allowed: [^\n]+$/,
  );
  assert.match(
    (await total("amount: amount, per: custmer")).join("\n"),
    /^x\.yaml:18:\d+ unknown argument of refunds\.issue_refund "custmer" \(did you mean "customer"\?\); allowed: [^\n]+$/,
  );
});
