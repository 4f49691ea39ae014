/** The files that a gate writes: its verdict, in the form that each file's extension stands for. */
import { basename, dirname, extname, join, relative } from "node:path/posix";
import { clip, oneLine } from "../../core/mod.ts";
import { tryToWrite, writeWhole } from "../artefacts.ts";
import { UsageError } from "../cli/exit.ts";
import { gateMarkdown } from "./markdown.ts";
import type { GatePlace } from "./place.ts";
import { type Verdict, verdictJson } from "./verdict.ts";

type Renderer = (verdict: Verdict) => string;

/** Not a literal: what only a gate that writes JUnit needs is neither loaded nor downloaded by others. */
const JUNIT: string = "./junit.ts";

const RENDERERS = new Map<string, () => Renderer | Promise<Renderer>>([
  [".json", () => verdictJson],
  [".md", () => gateMarkdown],
  [".xml", async () => {
    const { gateJUnit }: { readonly gateJUnit: Renderer } = await import(JUNIT);
    return gateJUnit;
  }],
]);

/**
 * Finds out before a run whether its files can be written where they should.
 *
 * @param paths Absolute.
 * @param place What the gate compares with: nothing is written there, whatever the task may do.
 * @throws {UsageError} If not.
 */
export async function checkOutputs(paths: readonly string[], place: GatePlace): Promise<void> {
  for (const path of paths) {
    const name = clip(oneLine(path), 100);
    if (!RENDERERS.has(extname(path))) {
      const allowed = [...RENDERERS.keys()].join(", ");
      throw new UsageError(`--output ${name}: the extension tells the format; allowed: ${allowed}`);
    }
    const { state } = await Deno.permissions.query({ name: "write", path });
    if (state !== "granted") {
      throw new UsageError(
        `${name} may not be written: a gate writes below reports/runs and /tmp, so that it can touch no golden; ` +
          "deno task bench gate may also write below where you stand",
      );
    }
    const touched = await touchedBy(path, place);
    if (touched !== undefined) {
      throw new UsageError(
        `--output ${name} is in ${relative(place.base, touched)}, which a gate compares with and never writes; ` +
          "give a file below reports/runs or /tmp",
      );
    }
    const isFolder = await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
    if (isFolder) throw new UsageError(`--output ${name} is a folder`);
    await tryToWrite(path, name);
  }
}

/** What of a gate's own a file is, or is in; through links. */
async function touchedBy(path: string, place: GatePlace): Promise<string | undefined> {
  const target = await realPath(path);
  for (const own of [place.goldens, place.expected, place.thresholds, place.scenarios]) {
    const real = await realPath(own);
    if (target === real || target.startsWith(`${real}/`)) return own;
  }
  return undefined;
}

/** Where a path leads, also one that is not there yet: as far as it is, its links are followed. */
async function realPath(path: string): Promise<string> {
  const above = dirname(path);
  if (above === path) return path;
  try {
    return await Deno.realPath(path);
  } catch {
    return join(await realPath(above), basename(path));
  }
}

/**
 * Writes the verdict, each file whole or not at all.
 *
 * @throws {UsageError} If a file cannot be written; what was there before is then still there.
 */
export async function writeOutputs(paths: readonly string[], verdict: Verdict): Promise<void> {
  for (const path of paths) {
    const render = await RENDERERS.get(extname(path))?.();
    if (render !== undefined) await writeWhole(path, render(verdict));
  }
}
