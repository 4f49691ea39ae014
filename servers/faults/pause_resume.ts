import { z } from "zod";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** A process that is stopped in the middle of everything and goes on later, as if nothing had been. */
export const pauseResume = defineFault({
  id: "pause_resume",
  layer: "transport",
  visibility: "implicit",
  summary: "From a reply on, the server says nothing for a while; then all of it comes.",
  correct: "Time out what is due, ignore the answers that come too late, and use the server again when it answers.",
  outcome: "timeout",
  lasts: "transient",
  example: "- { fault: pause_resume, at: kb, ms: 60s, when: { calls: [1] } }",
  params: z.strictObject({
    ms: duration.default(60_000).describe("How long it is stopped, in milliseconds."),
    on: ON,
  }),
  phase: onPhase,
  hooks: { bytes: (line, { params }) => [{ wait: params.ms }, line] },
});
