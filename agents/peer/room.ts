/** The tools of one agent while it has control: the hub's, and handing over. */
import { failed } from "../hub/outcome.ts";
import type { ToolHub } from "../hub/mod.ts";
import type { Observation } from "../types.ts";
import type { Control } from "../worker/control.ts";
import type { Desk } from "./desk.ts";
import { HANDOFF } from "./handoff.ts";

/** What an agent works in. */
export interface Room {
  /** The hub, as this agent reaches it. A handoff to a name that nobody has is an unknown tool like any other. */
  readonly hub: ToolHub;
  /** The handoffs that there are. */
  readonly controls: readonly Control[];
  /** What its calls have been answered with, in the order in which the answers came. */
  readonly observed: readonly Observation[];
}

/** Furnishes a room around a desk. */
export function roomFor(hub: ToolHub, desk: Desk): Room {
  const observed: Observation[] = [];
  return {
    observed,
    controls: desk.specs().map((spec) => ({ spec, take: (call, { span }) => desk.take(call, span) })),
    hub: {
      servers: () => hub.servers(),
      specs: (allow) => hub.specs(allow),
      down: (allow) => hub.down(allow),
      async call(name, args, options) {
        const { span = "" } = options;
        if (name.startsWith(HANDOFF)) {
          return failed("unknown_tool", desk.take({ id: "", name, args }, span).text);
        }
        const outcome = await hub.call(name, args, options);
        if (outcome.code === undefined) observed.push({ id: span, tool: name, args, text: outcome.text });
        return outcome;
      },
    },
  };
}
