import assert from "node:assert/strict";
import { toolNames } from "./tool_names.ts";

const TOOLS = ["orders.find_order", "orders.refund_status", "kb.search", "web.search"];

Deno.test("toolNames() knows a tool by the ways in which frameworks write its name", () => {
  for (
    const name of [
      "orders.find_order",
      "orders_find_order",
      "orders__find_order",
      "mcp__orders__find_order",
      "orders-find-order",
      "ordersFindOrder",
      "find_order",
      "findOrder",
    ]
  ) {
    const names = toolNames(TOOLS, ["orders_refund_status", name]);
    assert.equal(names.offered("orders.find_order"), name);
    assert.equal(names.canonical(name), "orders.find_order");
  }
});

Deno.test("toolNames() gives up where a name may stand for two tools, or a tool has two names", () => {
  const short = toolNames(TOOLS, ["search"]);
  assert.equal(short.offered("kb.search"), undefined);
  assert.equal(short.canonical("search"), "search");
  const twice = toolNames(TOOLS, ["a_orders_find_order", "b_orders_find_order"]);
  assert.equal(twice.offered("orders.find_order"), undefined);
});

Deno.test("toolNames() takes the closest way first, so that a short name is left for whoever has no other", () => {
  const names = toolNames(TOOLS, ["kb_search", "search"]);
  assert.equal(names.offered("kb.search"), "kb_search");
  assert.equal(names.offered("web.search"), "search");
});

Deno.test("toolNames() knows a handoff by both names that frameworks give it", () => {
  for (const name of ["handoff_billing", "handoffBilling", "transfer_to_billing", "transferToBilling"]) {
    const names = toolNames(["handoff.billing", "handoff.policy", "orders.find_order"], [name, "find_order"]);
    assert.equal(names.offered("handoff.billing"), name);
    assert.equal(names.offered("handoff.policy"), undefined);
  }
});

Deno.test("toolNames() leaves alone what is none of the bench's tools, whatever it is called", () => {
  const names = toolNames(TOOLS, ["transfer_to_billing", "constructor", "__proto__"]);
  assert.equal(names.canonical("transfer_to_billing"), "transfer_to_billing");
  assert.equal(names.canonical("__proto__"), "__proto__");
  assert.equal(names.offered("constructor"), undefined);
});
