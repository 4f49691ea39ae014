/**
 * All benchmarks, one after another: `deno task perf [cells|scale|startup|lease|wire|proxy|engine …] [--full]`; and
 * `deno task perf promptfoo`, which installs something and so runs only by name.
 */
import { print } from "./stats.ts";

const BENCHES = new Map<string, (full: boolean) => Promise<void>>([
  ["cells", async () => await (await import("./cells.ts")).cellsBench()],
  ["scale", async (full) => await (await import("./scale.ts")).scaleBench(full)],
  ["startup", async () => await (await import("./startup.ts")).startupBench()],
  ["lease", async () => await (await import("./lease.ts")).leaseBench()],
  ["wire", async () => await (await import("./wire.ts")).wireBench()],
  ["proxy", async () => await (await import("./proxy.ts")).proxyBench()],
  ["black-box", async () => await (await import("./black_box.ts")).blackBoxBench()],
  ["engine", async (full) => {
    const { engineBench, engineTable } = await import("./engine.ts");
    print("engine: fan-out of workers that do nothing", engineTable(await engineBench({ full })));
  }],
  ["promptfoo", async (full) => await (await import("./promptfoo.ts")).promptfooBench(full)],
]);

/** Those that run only if they are asked for by name. */
const BY_NAME: ReadonlySet<string> = new Set(["promptfoo"]);

const wanted = Deno.args.filter((arg) => arg !== "--full");
const unknown = wanted.find((name) => !BENCHES.has(name));
if (unknown !== undefined) {
  print(`no benchmark "${unknown}"; there are ${[...BENCHES.keys()].join(", ")}`);
  Deno.exit(2);
}
for (const [name, bench] of BENCHES) {
  if (wanted.length === 0 ? BY_NAME.has(name) : !wanted.includes(name)) continue;
  await bench(Deno.args.includes("--full"));
  print("");
}
