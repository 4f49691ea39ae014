/** A person at the terminal, as operator and as user. */
import { bindingOf, type Crew, isAllowed, type Operator, type User } from "../../agents/mod.ts";
import { childId, clip, type Json, oneLine, printable } from "../../core/mod.ts";
import type { People, PeopleOptions } from "../runner/people.ts";
import type { PromptPort } from "./prompt_port.ts";

/** How much longer everything may take that may have to wait for a person, in milliseconds. */
export const PATIENCE_MS = 600_000;

/** The most that is shown of one text, in UTF-16 units. Whoever decides must know that there is more. */
const SHOWN = 2000;

/**
 * People whose words come from a terminal, one question at a time. What they are asked and what they say is told as that of
 * scripted people is, and nothing is approved that was not shown: a decision is bound to the arguments on the screen.
 */
export function terminalPeople(port: PromptPort, { recorder }: Pick<PeopleOptions, "recorder">): People {
  const turn = takingTurns();
  const tell = (type: string, span: string, detail: { readonly [key: string]: Json }): void =>
    recorder.record("world", type, span, detail);
  const operator: Operator = {
    approve: ({ callId, worker, tool, args, binding: asked, reasons }, signal) =>
      turn(signal, async () => {
        tell("operator.request", callId, { callId, worker, tool, args, binding: asked, reasons: [...reasons] });
        const why = reasons.map((reason) => `- ${oneLine(reason)}`).join("\n");
        port.note(`${shownArgs(args)}\n\n${why}`, `${oneLine(worker)} wants to call ${oneLine(tool)}`);
        const decision = await port.choose("May it?", ["deny", "approve"]) ?? "deny";
        const said = decision === "deny" ? (await port.line("Why not? (may be left empty)"))?.trim() : undefined;
        const because = said ? { because: said } : {};
        const binding = bindingOf(callId, tool, args);
        tell("operator.decision", callId, { callId, tool, decision, ...because, binding });
        return { decision, binding, ...because };
      }),
    takeOver: ({ packetId, worker, objective, failure: { code, detail } }, signal) =>
      turn(signal, async () => {
        port.note(`${shown(objective)}\n\n${code}: ${shown(detail)}`, `${oneLine(worker)} has failed`);
        const said = (await port.line("What do you say in its place? (empty: nothing)"))?.trim() || undefined;
        tell("operator.takeover", childId("run/operator", packetId), { worker, packetId, said: said ?? null });
        return said;
      }),
  };
  const user: User = {
    answer: ({ packetId, worker, question }, signal) =>
      turn(signal, async () => {
        const span = childId("run/user", packetId);
        tell("user.question", span, { worker, packetId, question });
        port.note(shown(question), `${oneLine(worker)} asks`);
        const said = (await port.line("Your answer (empty: none)"))?.trim() || undefined;
        tell("user.answer", span, { worker, packetId, said: said ?? null });
        return said;
      }),
  };
  return { operator, user, problems: () => [], resume: () => {} };
}

/** A crew whose members have time to wait for a person: those whose calls may need one, and the run as a whole. */
export function patient(crew: Crew): Crew {
  const waits = (allow: readonly string[]) =>
    (crew.approval ?? []).some(({ tools }) =>
      tools.some((tool) => isAllowed(tool, allow)) || allow.some((entry) => isAllowed(entry, tools))
    );
  const { superstepMs } = crew;
  return {
    ...crew,
    specialists: crew.specialists.map((one) =>
      waits(one.toolAllow) ? { ...one, deadlineMs: one.deadlineMs + PATIENCE_MS } : one
    ),
    ...(superstepMs === undefined ? {} : { superstepMs: superstepMs + PATIENCE_MS }),
    deadlineMs: crew.deadlineMs + PATIENCE_MS,
  };
}

/** Lets one at a time, in order. Who is called off while it waits is never asked. */
function takingTurns(): <T>(signal: AbortSignal, ask: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (signal, ask) => {
    const mine = last.then(() => {
      signal.throwIfAborted();
      return ask();
    });
    last = mine.catch(() => {});
    return mine;
  };
}

/** One argument a line, in canonical order; a long one is cut, and says so. */
function shownArgs(args: { readonly [key: string]: Json }): string {
  const lines = Object.keys(args).sort().map((key) => `${oneLine(key)}: ${shown(JSON.stringify(args[key]))}`);
  return lines.length === 0 ? "(no arguments)" : lines.join("\n");
}

function shown(text: string): string {
  const cut = text.length > SHOWN ? ` (${text.length - SHOWN} more characters are not shown)` : "";
  return printable(clip(text, SHOWN)) + cut;
}
