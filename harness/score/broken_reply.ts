/** Replies that a fault has broken on their way: what is left in their bytes is on nobody's record. */
import type { Trace } from "../trace/event.ts";
import { eventsOf } from "./events.ts";
import type { SeenCall } from "./view.ts";

/** Whether a call may have brought a canary: by its reply, or by the bytes of one that a fault has broken. */
export function mayBring(call: SeenCall, canary: string, trace: Trace): boolean {
  return call.reply?.text.includes(canary) || mayBeBroken(call, canary, trace);
}

/** Whether a canary may be left in the bytes of a call's reply: its own tool was called, and just that call was struck. */
export function mayBeBroken({ reply, tool, span }: SeenCall, canary: string, { scenario, events }: Trace): boolean {
  if (scenario.canaries[canary] !== tool || (reply !== undefined && !reply.isError)) return false;
  return eventsOf(events, "world", "server.fault").some((event) => event.span === span);
}
