/** All benchmarks, one after another: `deno task perf [cells|startup|lease|wire|proxy|engine …] [--full]`. */
import { print } from "./stats.ts";

const BENCHES = new Map<string, (full: boolean) => Promise<void>>([
  ["cells", async () => await (await import("./cells.ts")).cellsBench()],
  ["startup", async () => await (await import("./startup.ts")).startupBench()],
  ["lease", async () => await (await import("./lease.ts")).leaseBench()],
  ["wire", async () => await (await import("./wire.ts")).wireBench()],
  ["proxy", async () => await (await import("./proxy.ts")).proxyBench()],
  ["engine", async (full) => {
    const { engineBench, engineTable } = await import("./engine.ts");
    print("engine: fan-out of workers that do nothing", engineTable(await engineBench({ full })));
  }],
]);

const wanted = Deno.args.filter((arg) => arg !== "--full");
const unknown = wanted.find((name) => !BENCHES.has(name));
if (unknown !== undefined) {
  print(`no benchmark "${unknown}"; there are ${[...BENCHES.keys()].join(", ")}`);
  Deno.exit(2);
}
for (const [name, bench] of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await bench(Deno.args.includes("--full"));
  print("");
}
