import assert from "node:assert/strict";
import { fromSafeName, normalName, safeName } from "./names.ts";

Deno.test("safeName() makes names that every provider takes, and different ones of different names", () => {
  const long = "x".repeat(300);
  const names = [
    "orders.find_order",
    "orders-find_order",
    "orders--find_order",
    "orders-_find_order",
    "orders_find_order",
    "orders/find",
    "a.b.c",
    "a.b-c",
    "a-x2f-b",
    "a/b",
    "größe.finden",
    "😀",
    "\ud800",
    "\ud801",
    "",
    " ",
    "-h",
    long,
    `${long}y`,
    `${"x".repeat(30)}.${long}`,
    `${long}\ud800`,
    `${long}\ud801`,
    `${"é".repeat(60)}`,
    // The safe form of a long one is itself a name.
    safeName(long),
  ];
  const safe = names.map(safeName);
  for (const one of safe) assert.match(one, /^[A-Za-z0-9_-]{1,64}$/);
  assert.equal(new Set(safe).size, names.length);
  for (const [i, name] of names.entries()) assert.equal(fromSafeName(safe[i] ?? "", names), name);
});

Deno.test("fromSafeName() finds only names that there are", () => {
  for (const untrusted of ["", "constructor", "__proto__", "orders--drop", "x".repeat(10_000)]) {
    assert.equal(fromSafeName(untrusted, ["orders.find"]), undefined);
  }
});

Deno.test("normalName() makes one of what looks like one", () => {
  const alike = ["find_order", "Find-Order", "find.order", "findOrder", "ｆｉｎｄ＿ｏｒｄｅｒ", "find\u200b_order"];
  assert.deepEqual([...new Set(alike.map(normalName))], ["findorder"]);
  assert.notEqual(normalName("find_order"), normalName("find_orders"));
  assert.notEqual(normalName("++"), normalName("--"));
});
