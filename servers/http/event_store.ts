import type { EventStore, JSONRPCMessage } from "../sdk_http.ts";

/** More than a client can miss between two connections; older events are forgotten. */
const MAX_EVENTS = 1000;

/** The events of one session's streams, so that a client whose stream broke off can ask for what it missed. */
export class MemoryEventStore implements EventStore {
  readonly #events: { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  #next = 1;

  /** Keeps an event, and names it. */
  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = `${stream}/${this.#next++}`;
    this.#events.push({ id, stream, message });
    if (this.#events.length > MAX_EVENTS) this.#events.shift();
    return Promise.resolve(id);
  }

  /** The stream of an event that is still known. */
  getStreamIdForEventId(id: string): Promise<string | undefined> {
    return Promise.resolve(this.#events.find((event) => event.id === id)?.stream);
  }

  /** Sends what came after an event on its stream, in order. */
  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.#events.findIndex(({ id }) => id === lastId);
    const last = this.#events[at];
    if (last === undefined) throw new RangeError(`no event ${lastId}`);
    for (const { id, stream, message } of this.#events.slice(at + 1)) {
      // A priming event has no message: there is nothing to miss in it.
      if (stream === last.stream && Object.keys(message).length > 0) await send(id, message);
    }
    return last.stream;
  }
}
