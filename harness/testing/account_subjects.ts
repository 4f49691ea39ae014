/** Bad subjects whose vice is about limits, and about the account that they give of their work. */
import { type Handoff, type Message, reference, type Subject } from "../../agents/mod.ts";
import { ANIMALS } from "../zoo/mod.ts";
import { answering, asking, subject, telling } from "./subjects.ts";

/** Animals of the zoo whose vice is one of these. */
export const { forgetter, spender, miscounter, storm, mumbler, miscoder } = ANIMALS;

const isResult = ({ role }: Message): boolean => role === "tool";

/** Gives each result twice. */
export const stutterer: Subject = asking("stutterer", (request) => ({
  ...request,
  messages: request.messages.flatMap((message) => isResult(message) ? [message, message] : [message]),
}));

/** Tells of its calls in a place where nothing is done. */
export const misplacer: Subject = subject("misplacer", (world) =>
  reference.run({
    ...world,
    emit: (type, span, detail) =>
      world.emit(type, type.startsWith("call.") ? span.replace(/^run\/s\d+/, "run/s99") : span, detail),
  }));

/** Tells of packets with fewer steps than are taken. */
export const understater: Subject = telling("understater", (type, detail) => {
  const { packet } = detail;
  if (type !== "packet" || typeof packet !== "object" || packet === null || Array.isArray(packet)) return detail;
  return { ...detail, packet: { ...packet, maxSteps: 1 } satisfies Partial<Handoff> };
});

/** Has no budget. */
export const squanderer: Subject = subject(
  "squanderer",
  ({ crew: { budget: _, ...crew }, ...world }) => reference.run({ ...world, crew }),
);

/** Does not forgive a failure that was recovered. */
export const grudge: Subject = answering("grudge", (answer) => ({
  ...answer,
  text: `${answer.text}\nThe billing specialist failed (tool_error).`,
  failures: [...answer.failures, { specialist: "billing", code: "tool_error", detail: "once", effect: "none" }],
}));
