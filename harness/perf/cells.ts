/**
 * How many cells a second the `sim` lane runs on one core: the three-server case, whole, with its trace recorded and
 * scored. Beside it, in the same run and interleaved: three fresh MCP client and server pairs with one shared validator
 * and four round trips each, and nothing else, which is what the official SDK alone costs.
 *
 * `deno run --allow-read=. --allow-env harness/perf/cells.ts`
 */
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// This subpath is typed as it stands.
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { JsonLines, memoryPair, RealClock } from "../../core/mod.ts";
import { FIXTURES, FixtureServer } from "../../servers/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { runCell } from "../runner/cell.ts";
import { scoreTrace } from "../score/score.ts";
import { cellOf } from "./scenario.ts";
import { print, spread, table } from "./stats.ts";

const ROUNDS = 9;
const CELLS = 400;
const SETS = 100;

const validator = new AjvJsonSchemaValidator();
const clock = new RealClock();

/** Three fresh pairs, four round trips each: initialise, list, and two calls. */
async function threePairs(): Promise<void> {
  for (const [name, tool, args] of CALLS) {
    const fixture = FIXTURES.get(name);
    if (fixture === undefined) throw new Error(`no fixture ${name}`);
    const [near, far] = memoryPair();
    const server = new FixtureServer(fixture, far);
    server.bind({ clock });
    await server.start();
    const client = new Client({ name: "floor", version: "1.0.0" }, { jsonSchemaValidator: validator });
    // Assigned by the SDK in the same way as its own transports.
    await client.connect(new JsonLines(near) as unknown as Parameters<Client["connect"]>[0]);
    await client.listTools();
    for (let i = 0; i < 2; i++) await client.callTool({ name: tool, arguments: args });
    await client.close();
  }
}

const CALLS = [
  ["orders", "find_order", { order_id: "12345" }],
  ["kb", "search_kb", { query: "duplicate charge" }],
  ["policy", "check_policy", { topic: "duplicate charge" }],
] as const;

/** Runs a second, of one thing done `count` times one after another. */
async function rate(count: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < count; i++) await work();
  return count * 1000 / (performance.now() - start);
}

/** Measures, and prints a table. */
export async function cellsBench(): Promise<void> {
  const spec = await cellOf("broken-policy-server", "sim");
  const cells: number[] = [];
  const floor: number[] = [];
  const oneCell = async (lane: ReturnType<typeof simLane>) => {
    const { outcome } = scoreTrace(await runCell(spec, lane));
    if (outcome !== "pass") throw new Error(`the measured cell came out ${outcome}`);
  };
  for (let round = -2; round < ROUNDS; round++) {
    {
      await using lane = simLane();
      const perSecond = await rate(CELLS, () => oneCell(lane));
      if (round >= 0) cells.push(perSecond);
    }
    // Outside the lane, so that its guard costs the floor nothing.
    const perSecond = await rate(SETS, threePairs);
    if (round >= 0) floor.push(perSecond);
  }
  const ratios = cells.map((value, i) => value / (floor[i] ?? NaN));
  const row = (name: string, samples: readonly number[], digits: number) => [
    name,
    Math.max(...samples).toFixed(digits),
    spread(samples).median.toFixed(digits),
    spread(samples).min.toFixed(digits),
  ];
  print(
    "sim lane, one core: runs a second",
    table([
      ["", "best", "median", "worst"],
      row("whole cells of the three-server case, traced and scored", cells, 0),
      row("three fresh SDK pairs, four round trips each, nothing else", floor, 0),
      row("ratio, round by round", ratios, 2),
    ]),
    `${ROUNDS} rounds of ${CELLS} cells and ${SETS} sets of pairs, interleaved`,
  );
}

if (import.meta.main) await cellsBench();
