/** Whether the subject's check of each specialist's claims comes to what is true of them. */
import { type Check, check } from "./check.ts";
import { sortedEntries } from "./entries.ts";
import { eventsOf } from "./events.ts";
import type { TraceView } from "./view.ts";

/** Verdicts, worst first. */
const VERDICTS = ["unsupported", "undetermined", "supported"] as const;

/** Scores the verdicts on the specialists that the scenario has labelled: on the worst claim of each one's last reports. */
export function scoreNotes({ trace: { events, scenario: { expect } } }: TraceView): Check[] {
  return sortedEntries(expect?.notes ?? {}).map(([who, label]) => {
    const id = `notes:${who}`;
    const own = eventsOf(events, "subject", "verify").filter(({ detail }) => detail["worker"] === who);
    const last = [...Map.groupBy(own, ({ detail }) => String(detail["packetId"])).values()].flatMap((of) =>
      of.at(-1) ?? []
    );
    const verdict = VERDICTS.find((one) => last.some(({ detail }) => detail["verdict"] === one));
    const message = `the worst claim of ${who} was found ${verdict ?? "never to be checked"}, and is ${label}`;
    return check(id, verdict === label, message, last.map(({ seq }) => seq));
  });
}
