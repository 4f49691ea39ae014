/** What vices are made with: the reference, with something changed on the way in or on the way out. */
import {
  type Answer,
  type Message,
  type ModelRequest,
  type ModelTurn,
  reference,
  type Subject,
  type SubjectWorld,
} from "../../agents/mod.ts";
import { renderAnswer } from "../../agents/supervisor/render.ts";
import { type AnimalName, SUMMARIES } from "./names.ts";

/** How a subject answers. */
export type Run = Subject["run"];

/** What is told of an event. */
export type Detail = Parameters<SubjectWorld["emit"]>[2];

/** An animal: it is called by its name, and runs with its vice. */
export function animal(name: AnimalName, run: Run): Subject {
  return { name, summary: SUMMARIES[name], run };
}

/** The reference, with another world. */
export function within(change: (world: SubjectWorld) => SubjectWorld): Run {
  return (world) => reference.run(change(world));
}

/** The reference, whose answer is changed. */
export function answering(change: (answer: Answer, world: SubjectWorld) => Answer): Run {
  return async (world) => change(await reference.run(world), world);
}

/** The reference, whose model requests are changed on the way out, and turns on the way back. */
export function asking(
  change: (request: ModelRequest, world: SubjectWorld) => ModelRequest,
  back: (turn: ModelTurn, request: ModelRequest, world: SubjectWorld) => ModelTurn = (turn) => turn,
): Run {
  return within((world) => ({
    ...world,
    model: {
      async next(request, signal) {
        return back(await world.model.next(change(request, world), signal), request, world);
      },
    },
  }));
}

/** The reference, whose planner's turn is changed before it is read. */
export function planning(change: (turn: ModelTurn, world: SubjectWorld) => ModelTurn): Run {
  return asking(
    (request) => request,
    (turn, { agent }, world) => agent === "planner" ? change(turn, world) : turn,
  );
}

/** A subject, of whose words to the bench some are changed or, with `undefined`, kept back. */
export function telling(change: (type: string, detail: Detail) => Detail | undefined, run: Run = reference.run): Run {
  return (world) =>
    run({
      ...world,
      emit(type, span, detail) {
        const changed = change(type, detail);
        if (changed !== undefined) world.emit(type, span, changed);
      },
    });
}

/** The answer with the text that the reference gives to such a structure. */
export function reworded(answer: Answer, { crew }: Pick<SubjectWorld, "crew">): Answer {
  return { ...answer, text: renderAnswer(answer, { isReview: crew.order === "severity" }) };
}

/** The request with one more message of the user's. */
export function withUser(request: ModelRequest, text: string): ModelRequest {
  return { ...request, messages: [...request.messages, { role: "user", text } satisfies Message] };
}

/** Whether a member of the crew asks, and not the planner, the entry of peers or the synthesizer. */
export function isWorker({ agent }: Pick<ModelRequest, "agent">, { crew }: Pick<SubjectWorld, "crew">): boolean {
  return crew.specialists.some(({ name }) => name === agent);
}
