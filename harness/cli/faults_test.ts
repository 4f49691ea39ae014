import assert from "node:assert/strict";
import { z } from "zod";
import { FAULTS } from "../../servers/faults/registry.ts";
import { bench } from "./test_io.ts";

const listed = z.array(z.looseObject({
  id: z.string(),
  layer: z.string(),
  visibility: z.enum(["explicit", "implicit"]),
  persistence: z.enum(["transient", "permanent"]),
  summary: z.string(),
  correct: z.string(),
  outcome: z.string(),
  applies: z.array(z.string()),
  params: z.array(z.object({ name: z.string(), description: z.string(), default: z.json(), allowed: z.string() })),
  example: z.string(),
  proxy: z.string().optional(),
}));
const json = async (args: readonly string[]) => listed.parse(JSON.parse((await bench([...args, "--json"])).out));

Deno.test("faults lists every fault of the catalogue, by layer, in 80 columns", async () => {
  const { code, out, err } = await bench(["faults"]);
  assert.deepEqual([code, err], [0, ""]);
  for (const id of FAULTS.keys()) assert.match(out, new RegExp(`^ {2}${id} +[ei][tp]  \\S`, "m"));
  assert.match(out, /^transport \(\d+\)\n {2}server_down +ep {2}The connection is refused\.$/m);
  assert.deepEqual(out.split("\n").filter((line) => line.length > 80), []);
});

Deno.test("faults --json is an array of entries, each with its parameters and an example", async () => {
  const entries = await json(["faults"]);
  assert.deepEqual(entries.slice(0, FAULTS.size).map(({ id }) => id), [...FAULTS.keys()]);
  for (const { id, params } of entries) {
    for (const param of params) assert.ok(param.description !== "", `${id}.${param.name} says what it means`);
  }
});

Deno.test("faults <id> explains one fault: what, what is correct, its parameters with defaults, how it is written", async () => {
  const { code, out } = await bench(["faults", "stale"]);
  assert.equal(code, 0);
  assert.match(out, /^stale {2}\(semantic, implicit, permanent without a schedule\)\n\nwhat {7}The dates/);
  assert.match(out, /^correct {4}Compare them/m);
  assert.match(out, /^outcome {4}ok/m);
  assert.match(out, /^at {9}server, server\.tool$/m);
  assert.match(out, /^parameters age = 7776000000 \(/m);
  assert.match(out, /^proxy {6}bench proxy --fault 'stale:/m);
  assert.ok(out.split("\n").every((line) => line.length <= 80));
  const [entry, ...others] = await json(["faults", "stale"]);
  assert.equal(others.length, 0);
  assert.equal(entry?.id, "stale");
});

Deno.test("faults explains a fault of the model, which no proxy has, and one that needs the broker", async () => {
  const model = [...FAULTS.values()].find(({ applies }) => applies.every((place) => place === "agent"));
  const { code, out } = await bench(["faults", model?.id ?? assert.fail()]);
  assert.equal(code, 0);
  assert.doesNotMatch(out, /bench proxy/);
  assert.match((await bench(["faults", "broker_cut"])).out, /^proxy {6}bench proxy --broker allow --fault/m);
});

Deno.test("faults says in one line that there is no such fault, with the nearest, exit 2", async () => {
  assert.deepEqual(await bench(["faults", "stle"]), {
    code: 2,
    out: "",
    err: 'brownout: unknown fault "stle" (did you mean "stale"?); bench faults lists them\n',
  });
});
