/** What has become of each effect of a run; kept in the run's log. */
import * as z from "zod";
import { JsonValue } from "../contracts.ts";
import { type CallOutcome, serverOf } from "../hub/mod.ts";
import type { RunLog } from "../run_log.ts";

/** The list of the run's log. */
const LIST = "gate.effects";

const Entry = z.discriminatedUnion("entry", [
  z.strictObject({
    entry: z.literal("sent"),
    effect: z.string(),
    packetId: z.string(),
    tool: z.string(),
    callId: z.string(),
    /** The idempotency key that went with it. */
    key: z.string().exactOptional(),
  }),
  z.strictObject({
    entry: z.literal("done"),
    effect: z.string(),
    text: z.string(),
    structured: JsonValue.exactOptional(),
  }),
  z.strictObject({ entry: z.literal("failed"), effect: z.string() }),
  z.strictObject({ entry: z.literal("unknown"), effect: z.string() }),
  z.strictObject({ entry: z.literal("read_back"), server: z.string(), packetId: z.string() }),
]);
type Entry = z.output<typeof Entry>;

/** Keys that a model makes up may be as short as `1`, which says nothing where it turns up. */
const TELLING = 12;

/** How a call with an effect ended. `failed`: it did not act, for certain. `unknown`: it may have. */
export type EffectEnd = "done" | "failed" | "unknown";

/**
 * Whether an effect may be had. `send`: nothing is in the way. `reuse`: this packet has had it, with this result.
 * `another`: another packet has. `unknown`: it may have been had, and this packet has not read back since.
 */
export type Permission =
  | { readonly verdict: "send" | "another" | "unknown" }
  | { readonly verdict: "reuse"; readonly outcome: CallOutcome };

interface Effect {
  readonly packetId: string;
  readonly tool: string;
  readonly key: string | undefined;
  /** The call that was sent, and those that were held back because of it. */
  readonly callIds: string[];
  state: "sent" | EffectEnd;
  outcome?: CallOutcome;
  /** Packets that have read back since it became unknown. Each may try once more. */
  readonly readBack: Set<string>;
}

/** The effects of a run, those before a kill included. */
export class Effects {
  readonly #log: RunLog;
  readonly #effects = new Map<string, Effect>();

  /**
   * Reads what the log has. What was sent before a kill and has no end there may have acted.
   *
   * @throws {z.ZodError} If the log holds what was never written here.
   */
  constructor(log: RunLog) {
    this.#log = log;
    for (const written of log.read(LIST)) this.#apply(Entry.parse(written));
    for (const [effect, { state }] of this.#effects) if (state === "sent") this.#record({ entry: "unknown", effect });
  }

  /** Whether a packet may have an effect that is not under way. */
  permission(id: string, packetId: string): Permission {
    const effect = this.#effects.get(id);
    switch (effect?.state) {
      case "done":
        if (effect.outcome === undefined || effect.packetId !== packetId) return { verdict: "another" };
        return { verdict: "reuse", outcome: effect.outcome };
      case "unknown":
        return { verdict: effect.readBack.has(packetId) ? "send" : "unknown" };
      default:
        return { verdict: "send" };
    }
  }

  /** Whether a call is on record as sent, whatever came of it. */
  wasSent(callId: string): boolean {
    return [...this.#effects.values()].some(({ callIds }) => callIds.includes(callId));
  }

  /** A call leaves now. */
  sent(effect: string, call: Omit<Extract<Entry, { entry: "sent" }>, "entry" | "effect">): void {
    this.#record({ entry: "sent", effect, ...call });
  }

  /** A call was held back, because an earlier one may have acted. */
  held(effect: string, callId: string): void {
    this.#effects.get(effect)?.callIds.push(callId);
  }

  /** A call has ended. */
  ended(effect: string, end: EffectEnd, { text, structured }: CallOutcome): void {
    if (end !== "done") return this.#record({ entry: end, effect });
    this.#record({ entry: "done", effect, text, ...(structured === undefined ? {} : { structured }) });
  }

  /**
   * A packet has read something from a server. An effect in doubt whose idempotency key is in it was had; of the others
   * this packet now knows as much as can be known.
   *
   * @returns The effects that were had, each with the ids of the calls that were about it.
   */
  readBack(server: string, packetId: string, outcome: CallOutcome): { id: string; tool: string; callIds: string[] }[] {
    const open = [...this.#effects].filter(([, { state, tool }]) => state === "unknown" && serverOf(tool) === server);
    const had = open.filter(([, { key = "" }]) => key.length >= TELLING && outcome.text.includes(key));
    for (const [id] of had) this.ended(id, "done", outcome);
    const isNews = open.some(([, { state, readBack }]) => state === "unknown" && !readBack.has(packetId));
    if (isNews) this.#record({ entry: "read_back", server, packetId });
    return had.map(([id, { tool, callIds }]) => ({ id, tool, callIds: [...callIds] }));
  }

  #record(entry: Entry): void {
    this.#log.append(LIST, entry);
    this.#apply(entry);
  }

  #apply(entry: Entry): void {
    if (entry.entry === "sent") {
      const { packetId, tool, callId, key } = entry;
      const callIds = [...this.#effects.get(entry.effect)?.callIds ?? [], callId];
      this.#effects.set(entry.effect, { packetId, tool, key, callIds, state: "sent", readBack: new Set() });
    } else if (entry.entry === "read_back") {
      for (const { state, tool, readBack } of this.#effects.values()) {
        if (state === "unknown" && serverOf(tool) === entry.server) readBack.add(entry.packetId);
      }
    } else {
      const effect = this.#effects.get(entry.effect);
      if (effect === undefined) return;
      effect.state = entry.entry;
      if (entry.entry !== "done") return;
      const { text, structured } = entry;
      effect.outcome = { kind: "answered", text, ...(structured === undefined ? {} : { structured }) };
    }
  }
}
