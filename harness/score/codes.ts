/**
 * Whether the code of each failure fits what the world saw of that specialist: a timeout where something was not answered
 * in time, a tool's error where a call came to nothing, and so on. Codes for which the record has no sign are not judged.
 */
import { ENTRY } from "../../agents/mod.ts";
import { type Json, parentId } from "../../core/mod.ts";
import { isWithin, tasksOf } from "./attempts.ts";
import { type Check, check, unanswered } from "./check.ts";
import { textOf } from "./model_use.ts";
import { isFailedResult } from "./result_shape.ts";
import type { TraceView } from "./view.ts";

/** What the world saw of one specialist. */
interface Signs {
  /** A call came to nothing: no reply, an error, or it was asked for and never sent. */
  failedCall: boolean;
  /** A call or a model was called off, or never answered. */
  unanswered: boolean;
  /** A model's call came to nothing, or its turn cannot be used. */
  failedTurn: boolean;
  /** A server that it may call was not reached, or went away. */
  lostServer: boolean;
}

/** What must have been seen for a code. */
const SIGN_OF: ReadonlyMap<string, { readonly sign: keyof Signs; readonly none: string }> = new Map([
  ["tool_error", { sign: "failedCall", none: "none of its calls came to nothing" }],
  ["timeout", { sign: "unanswered", none: "all that it asked was answered" }],
  ["model_error", { sign: "failedTurn", none: "each of its model's turns could be used" }],
  ["server_down", { sign: "lostServer", none: "its servers were there" }],
]);

/** Scores the codes of the answer's failures. */
export function scoreCodes(view: TraceView): Check[] {
  const id = "record.codes";
  const { answer, end, trace: { crew } } = view;
  const evidence = end === undefined ? [] : [end.seq];
  if (answer === undefined) return [unanswered(id, evidence)];
  const known = new Set(crew.specialists.map(({ name }) => name));
  const leads = new Set(["planner", ENTRY]);
  const wrong = answer.failures.flatMap(({ specialist, code }) => {
    const unknown = !known.has(specialist) && !leads.has(specialist);
    if (unknown !== (code === "unknown_specialist") && (unknown || known.has(specialist))) {
      return [`${specialist} is called ${code}, and the crew has ${unknown ? "nobody of that name" : "one"}`];
    }
    const rule = SIGN_OF.get(code);
    if (rule === undefined || unknown) return [];
    return signsOf(specialist, view)[rule.sign] ? [] : [`${specialist} is called ${code}, and ${rule.none}`];
  });
  const message = wrong[0] ?? "the code of each failure fits what the world saw";
  return [check(id, wrong.length === 0, message, evidence)];
}

function signsOf(specialist: string, view: TraceView): Signs {
  const { trace: { crew, events }, calls, packets, shown } = view;
  // Without packets it is not known who stood in for whom: whatever happened to somebody who may have counts.
  const same = new Set([
    specialist,
    ...shown.has("packets")
      ? []
      : crew.specialists.filter((one) => one.standsInFor?.includes(specialist)).map(({ name }) => name),
  ]);
  const isTheirs = (agent: Json | undefined) => typeof agent === "string" && same.has(agent);
  const tasks = tasksOf(view).filter(({ owner }) => owner === specialist).flatMap(({ attempts }) => attempts);
  const work = [...tasks, ...packets.filter(({ packet }) => packet.recipient === specialist)].map(({ span }) => span);
  const isOwn = (span: string) => work.some((one) => isWithin(span, one));
  const allow = crew.specialists.filter(({ name }) => same.has(name)).flatMap(({ toolAllow }) => toolAllow);
  const servers = new Set(
    [...allow, ...tasks.flatMap(({ packet }) => packet.toolAllow)].map((one) => one.split(".")[0]),
  );
  const sent = calls.filter(({ span, agent }) => isOwn(span) || !shown.has("packets") && isTheirs(agent));
  const open = sent.some(({ reply }) => reply === undefined);
  const signs: Signs = {
    failedCall: sent.some(({ reply }) => reply === undefined || reply.isError || isFailedResult(reply.text)),
    unanswered: open,
    failedTurn: false,
    lostServer: open,
  };
  const asked = new Map<string, number>();
  let requests = 0;
  for (const { side, type, span, detail } of events) {
    if (side !== "world") continue;
    const own = isTheirs(detail["agent"]) || isOwn(span);
    if (type === "model.request" && own) requests++;
    if (type === "model.turn" && own) {
      requests--;
      const made = Array.isArray(detail["calls"]) ? detail["calls"] : [];
      asked.set(span, made.length);
      const cut = detail["finish"] === "length" || JSON.stringify(made).includes("rawArguments");
      signs.failedTurn ||= cut;
    }
    if (type === "model.error" && own) {
      signs.failedTurn = true;
      signs.unanswered = true;
    }
    if (type === "server.cancelled" && own) signs.unanswered = true;
    const here = servers.has(textOf(detail["server"]));
    const lost = type === "server.connect" ? detail["ok"] === false : type === "server.close" && detail["by"] !== "hub";
    if (here && (lost || type === "server.fault")) signs.lostServer = true;
  }
  for (const { span } of sent) asked.set(parentId(span) ?? "", (asked.get(parentId(span) ?? "") ?? 0) - 1);
  signs.failedCall ||= [...asked.values()].some((left) => left > 0);
  signs.unanswered ||= requests > 0;
  return signs;
}
