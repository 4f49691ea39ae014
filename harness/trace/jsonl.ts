/** Traces as JSON lines: a header with scenario and crew, then one event a line, in order. */
import { canonicalJson } from "../../core/mod.ts";
import type { Trace } from "./event.ts";

/** Writes a trace. The same trace gives the same bytes. */
export function writeTrace({ events, ...header }: Trace): string {
  let text = `${canonicalJson(header)}\n`;
  for (const event of events) text += `${canonicalJson(event)}\n`;
  return text;
}
