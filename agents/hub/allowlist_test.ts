import assert from "node:assert/strict";
import { isAllowed, serverOf } from "./allowlist.ts";

const CASES: readonly [tool: string, allow: readonly string[], allowed: boolean][] = [
  ["orders.find", ["orders"], true],
  ["orders.find", ["orders."], true],
  ["orders.find", ["orders.find"], true],
  ["orders.find", ["kb.", "orders.find"], true],
  ["orders.find.deep", ["orders.find"], true],
  ["orders.find", [], false],
  ["orders.find", [""], false],
  ["orders.find", ["."], false],
  ["orders.find", ["order"], false],
  ["orders.find", ["orders.fin"], false],
  ["orders.find", ["orders.find.deep"], false],
  ["orders.find", ["Orders."], false],
  ["orders.find", [" orders."], false],
  ["orders.find", ["*"], false],
  ["orders.find", ["orders.*"], false],
  ["orders2.find", ["orders"], false],
  ["orders2.find", ["orders."], false],
  ["orders-eu.find", ["orders."], false],
  ["orders_find", ["orders"], false],
  ["xorders.find", ["orders."], false],
  ["orders/find", ["orders."], false],
  ["constructor.find", ["orders."], false],
  ["__proto__.find", ["orders."], false],
  ["__proto__.find", ["__proto__"], true],
  ["", ["orders."], false],
];

Deno.test("isAllowed() matches whole parts between dots and nothing else", () => {
  for (const [tool, allow, allowed] of CASES) {
    assert.equal(isAllowed(tool, allow), allowed, `${JSON.stringify(tool)} with ${JSON.stringify(allow)}`);
  }
});

Deno.test("serverOf() gives the part before the first dot", () => {
  assert.equal(serverOf("orders.find.deep"), "orders");
  assert.equal(serverOf("orders."), "orders");
  assert.equal(serverOf("orders"), "orders");
  assert.equal(serverOf(""), "");
});
