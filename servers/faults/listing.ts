/** The list of tools in a reply. */
import { type Fields, isFields, type Reply } from "../jsonrpc.ts";
import type { ReplyVerdict } from "./fault.ts";
import { replaceResult } from "./verdicts.ts";

/** The tools that a reply to `tools/list` has. */
export function toolsOf(reply: Reply): Fields[] {
  const tools = "result" in reply ? reply.result.tools : undefined;
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return list.filter(isFields);
}

/** The reply with other tools. */
export function withTools(reply: Reply, tools: readonly unknown[], more: Fields = {}): ReplyVerdict {
  return replaceResult(reply, { ...("result" in reply ? reply.result : {}), ...more, tools });
}

/** The reply with the tools changed that are covered; `undefined` if none is. */
export function editTools(
  reply: Reply,
  covers: (name: string) => boolean,
  edit: (tool: Fields) => readonly unknown[],
): ReplyVerdict | undefined {
  const tools = toolsOf(reply);
  const isMeant = ({ name }: Fields) => typeof name === "string" && covers(name);
  if (!tools.some(isMeant)) return undefined;
  return withTools(reply, tools.flatMap((tool) => isMeant(tool) ? edit(tool) : [tool]));
}
