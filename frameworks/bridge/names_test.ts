import assert from "node:assert/strict";
import { bridgeName, realName } from "./names.ts";

const HUB = {
  servers: () => [
    { name: "orders", state: "up" as const, tools: ["orders.find_order", "orders.find-order"], problems: [] },
    { name: "kb", state: "up" as const, tools: ["kb.search_kb"], problems: [] },
  ],
};

Deno.test("bridgeName() gives names of letters, digits and underscores, and realName() finds them back", () => {
  for (const name of ["orders.find_order", "orders.find-order", "kb.search_kb"]) {
    assert.match(bridgeName(name), /^\w+$/);
    assert.equal(realName(bridgeName(name), HUB), name);
  }
});

Deno.test("bridgeName() calls a handoff as frameworks do, and realName() knows everything that moves control", () => {
  assert.equal(bridgeName("handoff.billing"), "transfer_to_billing");
  assert.equal(realName("transfer_to_billing", HUB), "handoff.billing");
  assert.equal(realName("transfer_back_to_supervisor", HUB), "handoff.back_to_supervisor");
});

Deno.test("realName() leaves a name that nobody has as it is", () => {
  assert.equal(realName("drop_tables", HUB), "drop_tables");
  assert.equal(realName("constructor", HUB), "constructor");
});
