/**
 * What `bench proxy` costs between a client and a server over stdio: without a fault; with one that never strikes, for
 * which every message goes through the injector; and with a record of it all. Each call goes every way in turn, so that
 * what else the machine does falls on all.
 *
 * `deno run --allow-read=. --allow-env --allow-run --allow-write=/tmp harness/perf/proxy.ts`
 */
import { fileURLToPath } from "node:url";
import { type ByteConnection, type ChildConnection, spawnChild } from "../../core/mod.ts";
import { print, spread, table } from "./stats.ts";

const CALLS = 1000;
const BURSTS = 100;
const IN_FLIGHT = 32;
const LARGE = 8_000_000;
const LARGE_CALLS = 15;

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const deno = (...args: string[]) => [Deno.execPath(), "run", "--quiet", "--no-prompt", ...args];
const CALL = { method: "tools/call", params: { name: "find_order", arguments: { order_id: "12345" } } };

/** A client that counts lines, and does nothing with them: that would be its own cost. */
class Counter {
  #left = 0;
  #done = () => {};
  bytes = 0;

  constructor(private readonly connection: ByteConnection) {
    connection.open({
      bytes: (chunk) => {
        this.bytes += chunk.length;
        // One reply a call: a newline inside a chunk ends one.
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) if (--this.#left === 0) this.#done();
      },
      closed: () => {},
    });
  }

  /** Sends messages, and resolves with the milliseconds until as many lines have come. */
  async ask(count: number, message: object = CALL): Promise<number> {
    const lines = Array.from(
      { length: count },
      (_, i) => `${JSON.stringify({ jsonrpc: "2.0", id: i + 1, ...message })}\n`,
    );
    const bytes = new TextEncoder().encode(lines.join(""));
    const { promise, resolve } = Promise.withResolvers<void>();
    [this.#left, this.#done] = [count, resolve];
    const start = performance.now();
    await this.connection.write(bytes);
    await promise;
    return performance.now() - start;
  }
}

/** Opens the ways to a server, and closes them after use. */
async function withWays(
  server: readonly string[],
  use: (ways: ReadonlyMap<string, Counter>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const main = here("../cli/main.ts");
  const proxy = (...options: string[]) => [
    ...deno("--allow-read", "--allow-run", `--allow-write=${folder}`, main, "proxy"),
    ...options,
    "--",
    ...server,
  ];
  const commands = new Map([
    ["direct", server],
    ["proxy, no fault", proxy()],
    ["proxy, injector in between", proxy("--fault", "black_hole:nobody")],
    ["proxy, recording", proxy("--record", `${folder}/r.jsonl`)],
  ]);
  const children: ChildConnection[] = [];
  try {
    const ways = new Map<string, Counter>();
    for (const [name, [command = "", ...args]] of commands) {
      const child = spawnChild({ command, args, env: Deno.env.toObject(), graceMs: 5000 });
      children.push(child);
      ways.set(name, new Counter(child));
    }
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "perf", version: "1.0.0" } };
    for (const way of ways.values()) await way.ask(1, { method: "initialize", params: hello });
    await use(ways);
  } finally {
    await Promise.all(children.map((child) => child.close()));
    await Deno.remove(folder, { recursive: true });
  }
}

function percentile(samples: readonly number[], share: number): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length * share)] ?? NaN;
}

const ratioTo = (floor: readonly number[], samples: readonly number[]) => spread(samples).median / spread(floor).median;

async function small(name: string, server: readonly string[]): Promise<void> {
  await withWays(server, async (ways) => {
    const single = new Map<string, number[]>([...ways.keys()].map((way) => [way, []]));
    const burst = new Map<string, number[]>([...ways.keys()].map((way) => [way, []]));
    for (let i = -100; i < CALLS; i++) {
      for (const [way, counter] of ways) {
        const ms = await counter.ask(1);
        if (i >= 0) single.get(way)?.push(ms);
      }
    }
    for (let i = -2; i < BURSTS; i++) {
      for (const [way, counter] of ways) {
        const ms = await counter.ask(IN_FLIGHT);
        if (i >= 0) burst.get(way)?.push(ms / IN_FLIGHT);
      }
    }
    const rows = [...ways.keys()].map((way) => {
      const [one, many] = [single.get(way) ?? [], burst.get(way) ?? []];
      return [
        way,
        spread(one).min.toFixed(2),
        percentile(one, 0.5).toFixed(2),
        percentile(one, 0.95).toFixed(2),
        (1000 / spread(one).median).toFixed(0),
        ratioTo(single.get("direct") ?? [], one).toFixed(2),
        (1000 / spread(many).median).toFixed(0),
        ratioTo(burst.get("direct") ?? [], many).toFixed(2),
      ];
    });
    print(
      `proxy: small calls of ${name}, in ms`,
      table([["", "min", "p50", "p95", "calls/s", "ratio", `calls/s, ${IN_FLIGHT} at once`, "ratio"], ...rows]),
      `${CALLS} calls one by one and ${BURSTS} bursts, interleaved; ratio: time against direct, medians`,
    );
  });
}

async function large(): Promise<void> {
  await withWays(deno(here("./large_server.ts"), String(LARGE)), async (ways) => {
    const samples = new Map<string, number[]>([...ways.keys()].map((way) => [way, []]));
    for (let i = -2; i < LARGE_CALLS; i++) {
      for (const [way, counter] of ways) {
        const ms = await counter.ask(1);
        if (i >= 0) samples.get(way)?.push(ms);
      }
    }
    const speed = (ms: number) => (LARGE / 1000 / ms).toFixed(0);
    const rows = [...samples].map(([way, list]) => [
      way,
      speed(spread(list).min),
      speed(spread(list).median),
      ratioTo(samples.get("direct") ?? [], list).toFixed(2),
    ]);
    print(
      `proxy: results of ${LARGE / 1e6} MB, in MB/s`,
      table([["", "best", "median", "ratio"], ...rows]),
      `${LARGE_CALLS} calls, interleaved; ratio: time against direct, medians`,
    );
  });
}

/** Measures, and prints tables. */
export async function proxyBench(): Promise<void> {
  await small("the orders fixture", deno(here("../../servers/serve.ts"), "orders"));
  await small("a server that does nothing", deno(here("./large_server.ts")));
  await large();
}

if (import.meta.main) await proxyBench();
