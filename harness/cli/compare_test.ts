import assert from "node:assert/strict";
import { TestFolder } from "../scenario/test_folder.ts";
import { bench } from "./test_io.ts";

/** A report of one cell a letter: `p`ass, `f`ail or `e`rror, and a score. */
function report(outcomes: string, subject = "reference", scenario = "s"): { schema: number; cells: object[] } {
  return {
    schema: 1,
    cells: [...outcomes].map((letter, i) => {
      const outcome = letter === "p" ? "pass" : letter === "f" ? "fail" : "error";
      return {
        cell: {
          scenario: `${scenario}${i}`,
          variant: null,
          lane: "sim",
          subject,
          model: "scripted",
          seed: "0",
          repeat: 1,
        },
        outcome,
        checks: [{ id: "disclosure.prose:policy", outcome }],
        scores: [{ id: "honesty", value: outcome === "pass" ? 1 : 0.25, unit: "ratio" }],
      };
    }),
  };
}

const FILES = {
  "a.json": JSON.stringify(report("ppppppppppp")),
  "b.json": JSON.stringify(report("ffffffffppe")),
  "c.json": JSON.stringify(report("ppppppppppp", "reference", "t")),
  "zoo.json": JSON.stringify({
    schema: 1,
    cells: [...report("pppppppp").cells, ...report("ffffffff", "liar").cells],
  }),
};

Deno.test("compare shows one screen of 80 columns without colour: verdict, reasons, numbers, and every cell that turned", async () => {
  await using folder = await TestFolder.make(FILES);
  const { code, out, err } = await bench(["compare", "a.json", "b.json"], { cwd: folder.path });
  assert.deepEqual([code, err], [0, ""]);
  assert.ok(out.split("\n").every((line) => line.length <= 80), out);
  assert.equal(
    out,
    `A  a.json  baseline
B  b.json  compared with it
   11 pairs, 0 only in A, 0 only in B

WORSE
  B passes 20% where A passes 100% (0 better, 8 worse; p = 0.016 after Holm);
  honesty is worse: B has 0.400 where A has 1.000 (0 better, 8 worse; p = 0.016
  after Holm)
  - 1 pair with an error or an untestable verdict on a side, not among the
    verdicts.

score        pairs better worse      A      B  B - A      p  verdict
verdict         10      0     8  1.000  0.200 -0.800  0.016  WORSE
              95% interval -1.000 to -0.500, detectable 0.673, 1 pair left out
honesty         10      0     8  1.000  0.400 -0.600  0.016  WORSE
              95% interval -0.750 to -0.375, detectable 0.280, 1 pair left out
A and B are means, of verdicts the share that passes; p is after Holm over the
scores. The interval holds the difference in 95 of 100 comparisons; what is
detectable would be shown four times in five.

Turned red (8)
  s0@sim: disclosure.prose:policy pass → fail
  s1@sim: disclosure.prose:policy pass → fail
  s2@sim: disclosure.prose:policy pass → fail
  s3@sim: disclosure.prose:policy pass → fail
  s4@sim: disclosure.prose:policy pass → fail
  s5@sim: disclosure.prose:policy pass → fail
  s6@sim: disclosure.prose:policy pass → fail
  s7@sim: disclosure.prose:policy pass → fail

Not among the verdicts: an error, or untestable (1)
  s10@sim: A pass, B error
`,
  );
});

Deno.test("compare --fail-on worse exits 1 where it is worse, and 0 where it is better", async () => {
  await using folder = await TestFolder.make(FILES);
  const run = (...args: string[]) => bench(["compare", ...args], { cwd: folder.path }).then(({ code }) => code);
  assert.equal(await run("a.json", "b.json", "--fail-on", "worse"), 1);
  assert.equal(await run("b.json", "a.json", "--fail-on", "worse"), 0);
  assert.equal(await run("a.json", "b.json", "--fail-on", "flaky", "--fail-on", "missing"), 0);
});

Deno.test("compare --fail-on red exits 1 where a cell that passed fails or errs, however few there are", async () => {
  const of = (outcomes: string) => JSON.stringify(report(outcomes));
  await using folder = await TestFolder.make({
    "good.json": of("pp"),
    "fail.json": of("pf"),
    "error.json": of("pe"),
    "errors.json": of("ee"),
    "other.json": of("ppp"),
  });
  const run = (a: string, b: string, ...failOn: string[]) =>
    bench(["compare", `${a}.json`, `${b}.json`, ...failOn.flatMap((one) => ["--fail-on", one])], { cwd: folder.path });
  assert.equal((await run("good", "fail", "worse")).code, 0, "the numbers show nothing");
  for (const b of ["fail", "error", "errors"]) assert.equal((await run("good", b, "worse", "red")).code, 1, b);
  for (const [a, b] of [["fail", "good"], ["error", "good"], ["fail", "fail"], ["fail", "error"], ["good", "other"]]) {
    assert.equal((await run(a ?? "", b ?? "", "red")).code, 0, `${a} ${b}`);
  }
});

Deno.test("compare exits 5 where each pair has an error: nothing is compared", async () => {
  const bare = (outcomes: string) => {
    const { schema, cells } = report(outcomes);
    return JSON.stringify({ schema, cells: cells.map((cell) => ({ ...cell, scores: [] })) });
  };
  await using folder = await TestFolder.make({ "a.json": bare("ep"), "b.json": bare("pe"), "none.json": bare("") });
  const run = (...args: string[]) => bench(["compare", ...args], { cwd: folder.path });
  const { code, err } = await run("a.json", "b.json");
  assert.equal(code, 5);
  assert.match(
    err,
    /^brownout: nothing is compared: of a\.json and b\.json 2 pairs, as s0@sim, and each with an error/,
  );
  assert.equal((await run("a.json", "b.json", "--fail-on", "red")).code, 1, "what turned red is the news");
  const none = await run("none.json", "none.json", "--fail-on", "worse", "--fail-on", "red", "--fail-on", "missing");
  assert.equal(none.code, 5);
  assert.match(none.err, /^brownout: nothing is paired: /);
});

Deno.test("compare exits 5 where nothing is paired, and says what each side has", async () => {
  await using folder = await TestFolder.make(FILES);
  const { code, err, out } = await bench(["compare", "a.json", "c.json", "--fail-on", "missing"], { cwd: folder.path });
  assert.equal(code, 5);
  assert.match(
    err,
    /^brownout: nothing is paired: .*; a\.json has 11 cells, as s0@sim, c\.json has 11 cells, as t0@sim\n$/,
  );
  assert.match(out, /^not enough data\n {2}nothing is paired/m);
});

Deno.test("compare --by subject compares the subjects in one file with the first, or with the one named", async () => {
  await using folder = await TestFolder.make(FILES);
  const labels = async (...more: string[]) => {
    const { out } = await bench(["compare", "--by", "subject", "zoo.json", "--json", ...more], { cwd: folder.path });
    const { comparisons: [{ a, b, verdict }] } = JSON.parse(out);
    return [a, b, verdict];
  };
  assert.deepEqual(await labels(), ["reference", "liar", "worse"]);
  assert.deepEqual(await labels("--baseline", "liar"), ["liar", "reference", "better"]);
});

Deno.test("compare writes what it shows with --json into a .json file, and a comment into .md", async () => {
  await using folder = await TestFolder.make(FILES);
  const io = { cwd: folder.path };
  const { out } = await bench(["compare", "a.json", "b.json", "--json", "-o", "diff.json"], io);
  assert.equal(await Deno.readTextFile(`${folder.path}/diff.json`), out);
  assert.equal((await bench(["compare", "a.json", "b.json", "--json"], io)).out, out, "the same bytes each time");
  const { schema, alpha, power, resamples, seed } = JSON.parse(out);
  assert.deepEqual([schema, alpha, power, resamples, seed], [1, 0.05, 0.8, 10_000, "0"]);
  await bench(["compare", "a.json", "b.json", "-o", "diff.md"], io);
  const markdown = await Deno.readTextFile(`${folder.path}/diff.md`);
  assert.match(markdown, /^## Brownout: \*\*worse\*\*\n\nA \(baseline\): `a\.json`, B: `b\.json`; 11 pairs\.\n/);
  assert.match(markdown, /^\| `verdict` \| 10 \| 0 \| 8 \| 1\.000 \| 0\.200 \| -0\.800 \|.*\| \*\*worse\*\* \|$/m);
  assert.match(markdown, /^- `s0@sim`: `disclosure\.prose:policy` pass → fail$/m);
});

Deno.test("compare tells wrong usage in one line, exit 2", async () => {
  await using folder = await TestFolder.make({ ...FILES, "old.json": '{"schema":0,"cells":[]}', "no.json": "{" });
  for (
    const [args, message] of [
      [["a.json"], /^brownout: two reports are compared, and 1 given; for what is inside one, add --by subject/],
      [["a.json", "b.json", "c.json"], /^brownout: two reports are compared, and 3 given\n$/],
      [["a.json", "b.json", "--by", "subject"], /^brownout: --by compares inside one file, and 2 are given\n$/],
      [["zoo.json", "--by", "modle"], /^brownout: --by "modle" is not known \(did you mean model\?\)/],
      [["zoo.json", "--by", "model"], /^brownout: "zoo\.json": there must be two models at least to compare/],
      [
        ["zoo.json", "--by", "subject", "--baseline", "lair"],
        /^brownout: --baseline "lair" is not known \(did you mean liar\?\)/,
      ],
      [["a.json", "b.json", "--baseline", "x"], /^brownout: --baseline names a subject or a model, with --by/],
      [
        ["a.json", "b.json", "--fail-on", "wrose"],
        /^brownout: --fail-on "wrose" is not known \(did you mean worse\?\)/,
      ],
      [
        ["a.json", "b.json", "-o", "x.html"],
        /^brownout: --output "x\.html": the extension tells the format; allowed: \.json, \.md\n$/,
      ],
      [["a.json", "gone.json"], /^brownout: "gone\.json": no such file\n$/],
      [["a.json", "."], /^brownout: "\." is a folder/],
      [["a.json", "old.json"], /^old\.json: schema: it is a report of version 0/],
      [["no.json", "a.json"], /^no\.json: is no JSON/],
    ] as const
  ) {
    const { code, out, err } = await bench(["compare", ...args], { cwd: folder.path });
    assert.deepEqual([code, out], [2, ""], args.join(" "));
    assert.match(err, message);
    assert.equal(err.split("\n").length, 2);
  }
});
