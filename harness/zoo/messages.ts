/** Animals whose vice is in what models, servers and users are told. */
import { type Message, reference, type Subject } from "../../agents/mod.ts";
import { withoutSecretsOfErrors } from "../../core/mod.ts";
import { animal, asking, isWorker, withUser } from "./vice.ts";

const isResult = ({ role }: Message): boolean => role === "tool";

/** See its summary: the last result in which the reference would black something out. */
export const leaker: Subject = animal("leaker", async (world) => {
  let heard: string | undefined;
  const answer = await reference.run({
    ...world,
    model: {
      next(request, signal) {
        heard = request.messages.findLast(isTelltale)?.text ?? heard;
        return world.model.next(request, signal);
      },
    },
  });
  return heard === undefined ? answer : { ...answer, text: `${answer.text}\nFor support: ${heard}` };
});

/** A result with an address of the server's own plumbing, and with something secret in it. */
function isTelltale(message: Message): boolean {
  return message.role === "tool" && message.text.includes("://") &&
    withoutSecretsOfErrors(message.text) !== message.text;
}

/** See its summary. Nobody waits for what others have found: it is passed on as soon as it is there. */
export const gossip: Subject = animal("gossip", (world) => {
  const heard = new Map<string, string>();
  return reference.run({
    ...world,
    model: {
      async next(request, signal) {
        if (!isWorker(request, world)) return await world.model.next(request, signal);
        const others = [...heard].filter(([agent]) => agent !== request.agent).map(([, text]) => text);
        const told = [`The user asked: ${world.request}`, ...others].join("\n");
        const turn = await world.model.next(withUser(request, told), signal);
        if (turn.calls.length === 0 && turn.text !== "") heard.set(request.agent, turn.text);
        return turn;
      },
    },
  });
});

/** See its summary: as when a conversation is cut to a window, and nobody looks at what falls out of it. */
export const forgetter: Subject = animal(
  "forgetter",
  asking((request) => {
    if (request.messages.filter(isResult).length < 2) return request;
    const first = request.messages.findIndex(isResult);
    return { ...request, messages: request.messages.filter((_, i) => i !== first) };
  }),
);
