/** Every form of a report that is written into a file, by the file's extension. */
import { extname } from "node:path/posix";
import { oneLine } from "../../core/mod.ts";
import { UsageError } from "../cli/exit.ts";
import { OUTPUT_EXTENSIONS } from "../cli/options.ts";
import { htmlChunks } from "./html.ts";
import { jsonChunks } from "./json.ts";
import { jsonLines } from "./jsonl.ts";
import { renderMarkdown } from "./markdown.ts";
import type { RunReport } from "./report.ts";

/** Makes a text of a report, as a whole or piece by piece. The same report gives the same bytes. */
export type Renderer = (report: RunReport) => string | Generator<string>;

/** Not a literal: what only a run that writes JUnit needs is neither loaded nor downloaded by others. */
const JUNIT: string = "./junit.ts";

/** The forms, each loaded when it is asked for. */
export const RENDERERS: Readonly<Record<(typeof OUTPUT_EXTENSIONS)[number], () => Renderer | Promise<Renderer>>> = {
  ".json": () => jsonChunks,
  ".jsonl": () => jsonLines,
  ".md": () => renderMarkdown,
  ".xml": async () => {
    const { renderJUnit }: { readonly renderJUnit: Renderer } = await import(JUNIT);
    return renderJUnit;
  },
  ".html": () => htmlChunks,
};

/**
 * The form that a file's extension stands for; JSON where it stands for none.
 *
 * @throws {UsageError} If it cannot be loaded: on its first use it is downloaded.
 */
export async function rendererOf(path: string): Promise<Renderer> {
  const extension = OUTPUT_EXTENSIONS.find((known) => extname(path) === known) ?? ".json";
  try {
    return await RENDERERS[extension]();
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new UsageError(
      `${extension} cannot be written here, since what it needs cannot be loaded: ${oneLine(reason)}`,
    );
  }
}
