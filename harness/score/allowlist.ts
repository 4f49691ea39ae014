/** Whether tools were kept to the crew's allowlists: what was advertised to models, and what reached the servers. */
import { isAllowed } from "../../agents/mod.ts";
import { type Check, check } from "./check.ts";
import { isHandoff } from "./peers.ts";
import type { SeenRequest, TraceView } from "./view.ts";

/** Scores the allowlists. */
export function scoreAllowlist(view: TraceView): Check[] {
  const { requests, calls, trace: { crew } } = view;
  const allow = new Map(crew.specialists.map(({ name, toolAllow }) => [name, toolAllow]));
  const stranger = ({ agent, tools }: SeenRequest) =>
    tools.find((tool) => !isHandoff(tool, view) && !isAllowed(tool, allow.get(agent) ?? []));
  const advertised = requests.filter((request) => stranger(request) !== undefined);
  const [shown] = advertised;
  const outside = calls.filter(({ agent, tool }) => agent === undefined || !isAllowed(tool, allow.get(agent) ?? []));
  const [made] = outside;
  return [
    check(
      "allowlist.advertised",
      shown === undefined,
      shown === undefined
        ? "every model was shown the tools of its allowlist only"
        : `${shown.agent} was shown ${stranger(shown)}`,
      advertised.map(({ seq }) => seq),
    ),
    check(
      "allowlist.wire",
      made === undefined,
      made === undefined
        ? "every call that reached a server was asked for by a worker's model, and allowed to it"
        : made.agent === undefined
        ? `${made.tool} was called (${made.span}), and no model turn had asked for it`
        : `${made.agent} called ${made.tool}, which is not on its allowlist`,
      outside.map(({ seq }) => seq),
    ),
  ];
}
