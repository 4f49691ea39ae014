/** Requests that faults make of their own accord on a connection: in the server's name, or the hub's again. */
import { encodeLine } from "../core/mod.ts";
import type { Fields, RpcRequest } from "./jsonrpc.ts";

/** Those of one connection. Their ids are nobody else's. */
export class FaultRequests {
  /** Made in the server's name; and who waits for the reply. */
  readonly #asked = new Map<unknown, (reply: Fields) => void>();
  /** Repeated, and nobody wants the reply. */
  readonly #repeated = new Set<unknown>();
  #ids = 0;

  /** A request in the server's name, as a line; its answer goes to `answered`. */
  ask(method: string, params: Fields | undefined, answered: (reply: Fields) => void): Uint8Array {
    const id = this.#next();
    this.#asked.set(id, answered);
    return encodeLine({ jsonrpc: "2.0", id, method, ...(params && { params }) });
  }

  /** The same request again, as a line. */
  repeat(request: RpcRequest): Uint8Array {
    const id = this.#next();
    this.#repeated.add(id);
    return encodeLine({ ...request, id });
  }

  /** Takes what the hub has answered to a fault; `false` if it is no such answer. */
  takesAnswer(message: Fields): boolean {
    const asker = this.#asked.size > 0 && message.method === undefined ? this.#asked.get(message.id) : undefined;
    if (asker === undefined) return false;
    this.#asked.delete(message.id);
    asker(message);
    return true;
  }

  /** Takes what the server has answered to a repeated request; `false` if it is no such answer. */
  takesRepeated(id: unknown): boolean {
    return this.#repeated.size > 0 && this.#repeated.delete(id);
  }

  #next(): string {
    return `brownout:${++this.#ids}`;
  }
}
