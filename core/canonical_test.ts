import assert from "node:assert/strict";
import { canonicalJson, digest, type Json, sha256 } from "./canonical.ts";
import { prettyJson } from "./pretty.ts";
import { Random } from "./random.ts";

const KEYS = ["a", "b", "B", "é", "😀", "\u{fb33}", "", "10", "9", "__proto__", "constructor", "a\nb", '"'];
const SCALARS = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  1e-7,
  5e-324,
  2 ** 53,
  "",
  "text",
  "\u2028",
  "\ud800",
  "😀",
  '\\"',
];

/** A value of any shape. */
function anyJson(random: Random, depth = 4): Json {
  const items = <T>(make: () => T) => Array.from({ length: random.int(4) }, make);
  switch (depth === 0 ? 2 : random.int(4)) {
    case 0:
      return items(() => anyJson(random, depth - 1));
    case 1:
      return Object.fromEntries(items(() => [KEYS[random.int(KEYS.length)] ?? "", anyJson(random, depth - 1)]));
    default:
      return SCALARS[random.int(SCALARS.length)] ?? null;
  }
}

/** The same value with the keys of its objects in another order. */
function reordered(value: Json, random: Random): Json {
  if (Array.isArray(value)) return value.map((item) => reordered(item, random));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reordered(member, random)] as const);
  return Object.fromEntries(random.shuffle(members));
}

Deno.test("canonicalJson is read back as the same value, and does not depend on the order of keys", () => {
  for (let seed = 0; seed < 2_000; seed++) {
    const random = new Random(`json ${seed}`);
    const value = anyJson(random);
    const text = canonicalJson(value);
    assert.deepEqual(JSON.parse(text), value);
    assert.equal(canonicalJson(JSON.parse(text)), text);
    assert.equal(canonicalJson(reordered(value, random)), text);
    assert.equal(digest(reordered(value, random)), digest(value));
  }
});

Deno.test("prettyJson lays out what canonicalJson writes as the engine would, at any level", () => {
  for (let seed = 0; seed < 2_000; seed++) {
    const random = new Random(`pretty ${seed}`);
    const value = anyJson(random);
    const expected = JSON.stringify(JSON.parse(canonicalJson(value)), null, 2);
    assert.equal(prettyJson(reordered(value, random)), expected);
    assert.equal(prettyJson(value, 2), expected.replaceAll("\n", "\n    "));
  }
  assert.equal(prettyJson({ b: undefined, a: [undefined] }), '{\n  "a": [\n    null\n  ]\n}');
  for (const value of [NaN, 1n, () => {}, new Date(0)]) assert.throws(() => prettyJson({ deep: [value] }), TypeError);
});

Deno.test("canonicalJson sorts the keys of objects that have few and of those that have many", () => {
  for (let length = 0; length < 40; length++) {
    const random = new Random(`keys ${length}`);
    const keys = new Set(Array.from({ length }, () => `k${random.int(10 * length)}`));
    const sorted = [...keys].sort().map((key) => `"${key}":0`);
    assert.equal(canonicalJson(Object.fromEntries([...keys].map((key) => [key, 0]))), `{${sorted.join()}}`);
  }
});

Deno.test("canonicalJson sorts keys by UTF-16 units and writes numbers as RFC 8785 does", () => {
  // The example of RFC 8785, section 3.2.3: the surrogates of U+1F600 come before U+FB33.
  const keys = ["\u20ac", "\r", "\u{fb33}", "1", "\u{1f600}", "\u0080", "\u00f6"];
  const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\u{1f600}", "\u{fb33}"];
  const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
  assert.equal(text, `{${sorted.map((key) => `${JSON.stringify(key)}:0`).join()}}`);
  assert.equal(
    canonicalJson([333333333.33333329, 1e30, 4.5, 2e-3, 1e-27]),
    "[333333333.3333333,1e+30,4.5,0.002,1e-27]",
  );
});

Deno.test("canonicalJson writes -0 as 0, a lone surrogate escaped, undefined as null or not at all", () => {
  assert.equal(canonicalJson(-0), "0");
  assert.equal(canonicalJson("\udead"), '"\\udead"');
  assert.equal(canonicalJson([undefined, { a: undefined, b: 1 }]), '[null,{"b":1}]');
  assert.equal(canonicalJson(new Array(2)), "[null,null]");
  assert.equal(canonicalJson(Object.create(null)), "{}");
});

Deno.test("canonicalJson refuses what JSON cannot carry", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = [cycle];
  // deno-fmt-ignore
  const values = [NaN, Infinity, -Infinity, 1n, Symbol("s"), () => {}, cycle, new Date(0), new Map(), new Set(), /x/,
    new Error("e"), new Uint8Array(1), Promise.resolve()];
  for (const value of values) assert.throws(() => canonicalJson({ deep: [value] }), TypeError);
});

Deno.test("canonicalJson takes 200 levels and refuses 201", () => {
  const nested = (levels: number): Json => levels === 0 ? 0 : [nested(levels - 1)];
  assert.equal(canonicalJson(nested(200)).length, 401);
  assert.throws(() => canonicalJson(nested(201)), /deeper than 200 levels/);
});

Deno.test("sha256 and digest are the known ones", () => {
  assert.equal(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(digest({ b: 1, a: 2 }), sha256('{"a":2,"b":1}'));
});
