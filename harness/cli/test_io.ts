/** For tests: streams that keep what was written. */
import { main } from "./main.ts";
import type { CliIo } from "./io.ts";

/** What came of a command. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process. */
export async function bench(args: readonly string[], io: Partial<CliIo> = {}): Promise<Outcome> {
  let [out, err] = ["", ""];
  const code = await main(args, {
    out: (text) => out += text,
    err: (text) => err += text,
    isTerminal: false,
    columns: 80,
    cwd: "/",
    env: () => undefined,
    signal: new AbortController().signal,
    ...io,
  });
  return { code, out, err };
}
