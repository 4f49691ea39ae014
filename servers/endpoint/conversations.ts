/** What is remembered of replies, where a later request may go on from one by its id (`previous_response_id`). */
import type { ModelMessage } from "../faults/model_hooks.ts";
import type { Fields } from "../faults/model/wire.ts";

/** What a request adds to a conversation. */
export interface Added {
  /** The reply that it goes on from. */
  readonly previous?: string;
  /** Prompts among its messages. Its instructions are not: each request has its own. */
  readonly system: readonly string[];
  /** Its other messages, oldest first. */
  readonly messages: readonly ModelMessage[];
}

/** One exchange: what was added to a conversation, with the reply as its last message. */
export interface Exchanged extends Added {
  /** The reply's items, to which a request may refer by their ids. */
  readonly items: readonly Fields[];
  /** Whether it came from a provider, who knows it by the same id. */
  readonly upstream: boolean;
}

/** A conversation up to a reply. */
export interface Past {
  /** Prompts among its messages, oldest first. */
  readonly system: readonly string[];
  /** Its messages, oldest first; the same objects whenever it is asked for. */
  readonly messages: readonly ModelMessage[];
  /** Whether a provider knows all of it. */
  readonly upstream: boolean;
}

/** An item of a reply. */
export interface PastItem {
  /** The item. */
  readonly item: Fields;
  /** Whether a provider knows it. */
  readonly upstream: boolean;
}

/** An exchange, and what it takes. */
interface Kept extends Exchanged {
  /** UTF-16 units. */
  readonly size: number;
}

/** How many replies are remembered at once, and how much of them in all, in UTF-16 units. */
const MAX_REPLIES = 4096;
const MAX_SIZE = 2 ** 25;

/** Remembers so much and no more: what was not asked for in the longest time is forgotten first. */
export class Conversations {
  readonly #maxReplies: number;
  readonly #maxSize: number;
  readonly #kept = new Map<string, Kept>();
  readonly #items = new Map<string, PastItem>();
  #size = 0;

  /**
   * Nothing is remembered yet.
   *
   * @param maxReplies How many replies at most.
   * @param maxSize How much of them in all, in UTF-16 units.
   */
  constructor(maxReplies: number = MAX_REPLIES, maxSize: number = MAX_SIZE) {
    this.#maxReplies = maxReplies;
    this.#maxSize = maxSize;
  }

  /** The conversation that ended with a reply; nothing if any part of it is not remembered. */
  find(id: string): Past | undefined {
    const chain = new Map<string, Kept>();
    // An upstream may give one id twice: a circle is no conversation.
    for (let at: string | undefined = id; at !== undefined;) {
      const kept = this.#kept.get(at);
      if (kept === undefined || chain.has(at)) return undefined;
      chain.set(at, kept);
      at = kept.previous;
    }
    const oldestFirst = [...chain].reverse();
    for (const [at, kept] of oldestFirst) {
      this.#kept.delete(at);
      this.#kept.set(at, kept);
    }
    return {
      system: oldestFirst.flatMap(([, { system }]) => system),
      messages: oldestFirst.flatMap(([, { messages }]) => messages),
      upstream: oldestFirst.every(([, { upstream }]) => upstream),
    };
  }

  /** An item of a reply, by the item's id. */
  item(id: string): PastItem | undefined {
    return this.#items.get(id);
  }

  /** Remembers a reply by its id, if it is not too much by itself. */
  keep(id: string, exchanged: Exchanged): void {
    this.#forget(id);
    const { system, messages, items, upstream } = exchanged;
    const size = JSON.stringify([system, messages, items]).length;
    // One that is too much by itself is no reason to forget all others.
    if (size > this.#maxSize) return;
    this.#kept.set(id, { ...exchanged, size });
    for (const item of items) if (typeof item.id === "string") this.#items.set(item.id, { item, upstream });
    this.#size += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxReplies && this.#size <= this.#maxSize) break;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    this.#kept.delete(id);
    this.#size -= kept.size;
    for (const item of kept.items) {
      // A later reply of an upstream may have an item of the same id: that one is still known.
      if (typeof item.id === "string" && this.#items.get(item.id)?.item === item) this.#items.delete(item.id);
    }
  }
}
