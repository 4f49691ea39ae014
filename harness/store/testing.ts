/** What the tests of the store share. */
import { join } from "node:path/posix";
import type { NewRun } from "./folder.ts";
import { fingerprintOf, type RunPlan } from "./plan.ts";
import type { RunHead, StoredCell } from "./run_store.ts";

/** A temporary folder that goes with its scope. */
export class TempFolder implements AsyncDisposable {
  private constructor(readonly path: string) {}

  /** Makes one. */
  static async make(): Promise<TempFolder> {
    return new TempFolder(await Deno.makeTempDir({ dir: "/tmp", prefix: "brownout-store-" }));
  }

  /** The path of something in it. */
  of(name: string): string {
    return join(this.path, name);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Deno.remove(this.path, { recursive: true });
  }
}

/** A plan of three cells. */
export const PLAN: RunPlan = { code: "c0de", scenarios: { a: "1", "a/late": "2" }, options: { repeat: "2" }, cells: 3 };

/** A run of it. */
export const RUN: NewRun = { command: "run a --repeat 2", plan: PLAN, fingerprint: fingerprintOf(PLAN) };

/** The same, begun. */
export const HEAD: RunHead = { ...RUN, id: "20260102-030405-abcd", started: "2026-01-02T03:04:05.000Z" };

/** A cell that has ended. */
export function cell(n: number, more: Partial<StoredCell> = {}): StoredCell {
  return { n, cell: `a@sim,repeat=${n + 1}`, rank: 5, gist: `[${n}]`, result: `{"n":${n}}`, ...more };
}
