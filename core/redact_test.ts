import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Random } from "./random.ts";
import { Redactor } from "./redact.ts";

const of = (secrets: Record<string, string>) => new Redactor(new Map(Object.entries(secrets)));

Deno.test("Redactor.text hides a secret of any characters, wherever it stands", () => {
  for (
    const secret of [
      "hunter2-hunter2",
      "a.b*c+d?(e)[f]{g}|^$\\",
      "$&$1$`$'",
      "line\nbreak\ttab",
      "pässwörd🦊",
      '"quoted"',
    ]
  ) {
    const clean = of({ db: secret }).text(`${secret} and ${secret}${secret}.`);
    assert.equal(clean, "[secret:db] and [secret:db][secret:db].");
  }
});

Deno.test("Redactor.text hides a secret that is URL-encoded", () => {
  const secret = "p@ss word/é+?";
  const redactor = of({ db: secret });
  const url = encodeURIComponent(secret);
  for (const form of [url, url.replaceAll("%20", "+"), url.replace(/%../g, (code) => code.toLowerCase())]) {
    assert.equal(redactor.text(`https://x.test/?k=${form}&z=1`), "https://x.test/?k=[secret:db]&z=1");
  }
});

Deno.test("Redactor.text hides a secret that is JSON-escaped, also inside JSON inside JSON", () => {
  const secret = 'say "hi"\\\n\u0001';
  const redactor = of({ db: secret });
  for (let level = 0, text = secret; level <= 3; level++, text = JSON.stringify(text)) {
    const clean = redactor.text(text);
    assert(clean.includes("[secret:db]") && !clean.includes("say"), clean);
  }
});

Deno.test("Redactor.text hides a secret in base64, at any offset and before anything", () => {
  const secret = "correct horse?>battery";
  const redactor = of({ db: secret });
  for (let before = 0; before < 5; before++) {
    for (let after = 0; after < 5; after++) {
      for (const encoding of ["base64", "base64url"] as const) {
        const text = Buffer.from("<".repeat(before) + secret + ">".repeat(after)).toString(encoding);
        const clean = redactor.text(`Basic ${text}`);
        assert(clean.includes("[secret:db]"), `${before} ${after} ${encoding}`);
        const left = Buffer.from(clean.split("[secret:db]")[0] ?? "", "base64").toString("latin1");
        assert(!left.includes("corre"));
      }
    }
  }
});

Deno.test("Redactor.text leaves nothing of a secret that contains another, nor of two that overlap", () => {
  const redactor = of({ inner: "SECRET1", outer: "abc-SECRET1-def", left: "123456abc", right: "abcxyzxyz" });
  assert.equal(redactor.text("abc-SECRET1-def SECRET1"), "[secret:outer] [secret:inner]");
  assert.equal(redactor.text("<123456abcxyzxyz>"), "<[secret:left]>");
  assert.equal(of({ x: "aaaaaa" }).text("aaaaaaaaab"), "[secret:x]b");
});

Deno.test("Redactor.text takes a secret that looks like a marker, and an id with any characters", () => {
  const redactor = of({ "$&": "secret:", db: "[secret" });
  const clean = redactor.text("[secret:x]");
  assert(!clean.includes("x]") || clean === "[secret:db]x]", clean);
  assert.equal(of({ "$&": "hunter22" }).text("hunter22"), "[secret:$&]");
});

Deno.test("Redactor.text hides common credentials whoever they belong to", () => {
  const redactor = new Redactor();
  for (
    const [id, text] of [
      ["api-key", "sk-" + "a1B2-_".repeat(4)],
      ["github-token", "ghp_" + "a1B2".repeat(9)],
      ["aws-key", "AKIAABCDEFGHIJKLMNOP"],
      ["bearer", "Bearer abcdefghijklmnop.qrstuv=="],
    ] as const
  ) {
    assert.equal(redactor.text(`header: ${text}, next`), `header: [secret:${id}], next`);
  }
  assert.equal(
    redactor.text("the task-list-of-the-whole-company is long"),
    "the task-list-of-the-whole-company is long",
  );
});

Deno.test("Redactor refuses a secret that is too short", () => {
  assert.throws(() => of({ pin: "12345" }), { name: "RangeError", message: "secret pin is shorter than 6 characters" });
});

Deno.test("Redactor.value hides secrets in strings, keys and numbers, and keeps the shape", () => {
  const redactor = of({ quote: 'a"b\\c\nd', pin: "123456", json: '"x":{"y":1}' });
  const value = {
    'a"b\\c\nd': [1, 'pre a"b\\c\nd post', null],
    deep: { pin: 123456, other: 12345, json: JSON.stringify({ inner: 'a"b\\c\nd' }) },
    x: { y: 1 },
  };
  assert.deepEqual(redactor.value(value), {
    "[secret:quote]": [1, "pre [secret:quote] post", null],
    deep: { pin: "[secret:pin]", other: 12345, json: '{"inner":"[secret:quote]"}' },
    x: { y: 1 },
  });
});

Deno.test("Redactor.value gives the same object if there is nothing to hide", () => {
  const redactor = of({ db: "hunter2-hunter2" });
  const value = { a: [1, "two"] };
  assert.equal(redactor.value(value), value);
  assert.equal(redactor.value(value, JSON.stringify(value)), value);
  assert.equal(redactor.value(undefined), undefined);
});

Deno.test("Redactor leaves nothing of random secrets in random places", () => {
  const random = new Random("redact");
  const alphabet = [..."abAB01+/=%$\\\"'\n é🦊"];
  const word = (length: number) => Array.from({ length }, () => alphabet[random.int(alphabet.length)]).join("");
  for (let i = 0; i < 500; i++) {
    const secret = `S${word(8)}T`;
    const value = { [word(3) + secret]: [word(4) + secret + word(4), { text: JSON.stringify([secret]) }] };
    const clean = JSON.stringify(of({ s: secret }).value(value));
    assert(!clean.includes(JSON.stringify(secret).slice(1, -1)), clean);
    assert.equal(clean.split("[secret:s]").length, 4);
  }
});

Deno.test("Redactor.number hides a number that is a secret, and leaves every other a number", () => {
  const redactor = new Redactor(new Map([["pin", "482913"]]));
  assert.deepEqual([482913, 14829130, 48291, -0.5].map((value) => redactor.number(value)), [
    "[secret:pin]",
    "1[secret:pin]0",
    48291,
    -0.5,
  ]);
  assert.equal(new Redactor().number(482913), 482913);
});
