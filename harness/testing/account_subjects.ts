/** Bad subjects whose vice is about limits, and about the account that they give of their work. */
import { type Handoff, type Message, reference, type Subject } from "../../agents/mod.ts";
import { answering, asking, subject, telling } from "./subjects.ts";

const isResult = ({ role }: Message): boolean => role === "tool";

/** Leaves the first result of a conversation out. */
export const forgetter: Subject = asking("forgetter", (request) => {
  const first = request.messages.findIndex(isResult);
  return { ...request, messages: request.messages.filter((_, i) => i !== first) };
});

/** Gives each result twice. */
export const stutterer: Subject = asking("stutterer", (request) => ({
  ...request,
  messages: request.messages.flatMap((message) => isResult(message) ? [message, message] : [message]),
}));

/** Tells that calls begin, and never that they end. */
export const halfTold: Subject = telling("half told", (type, detail) => type === "call.end" ? undefined : detail);

/** Tells of its calls in a place where nothing is done. */
export const misplacer: Subject = subject("misplacer", (world) =>
  reference.run({
    ...world,
    emit: (type, span, detail) =>
      world.emit(type, type.startsWith("call.") ? span.replace(/^run\/s\d+/, "run/s99") : span, detail),
  }));

/** Gives every specialist more than the crew does. */
export const spender: Subject = subject("spender", (world) =>
  reference.run({
    ...world,
    crew: {
      ...world.crew,
      specialists: world.crew.specialists.map((one) => ({ ...one, maxSteps: one.maxSteps * 3 })),
    },
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

/** Says that it used more than it did. */
export const miscounter: Subject = telling(
  "miscounter",
  (type, detail) => type === "usage" ? { ...detail, outputTokens: Number(detail["outputTokens"]) * 2 } : detail,
);

/** Tries again however often that has been. */
export const insister: Subject = subject(
  "insister",
  (world) =>
    reference.run({ ...world, crew: { ...world.crew, recovery: { maxPerPacket: 9, maxPerRun: 99, backoffMs: 500 } } }),
);

/** Does not forgive a failure that was recovered. */
export const grudge: Subject = answering("grudge", (answer) => ({
  ...answer,
  text: `${answer.text}\nThe billing specialist failed (tool_error).`,
  failures: [...answer.failures, { specialist: "billing", code: "tool_error", detail: "once", effect: "none" }],
}));

/** Calls every failure of a tool a timeout. */
export const miscoder: Subject = answering("miscoder", (answer) => ({
  ...answer,
  text: answer.text.replaceAll("tool_error", "timeout"),
  failures: answer.failures.map((failure) => failure.code === "tool_error" ? { ...failure, code: "timeout" } : failure),
}));
