import { type Fields, isFields } from "../faults/model/wire.ts";
import { errorOf, numberOf, objectsOf, type ReadReply, type StreamReader, textOf } from "./api.ts";
import { errorIn, readResponse } from "./responses_reply.ts";

/** An item that is being streamed. */
interface Growing {
  item: Fields;
  /** Whether it has been given whole. */
  done: boolean;
  text: string;
  refusal: string;
  written: string;
}

const LAST: ReadonlySet<string> = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** Reads a stream: an item is known by its id, whatever its place, and the last state of the response is its state. */
export class ReplyReader implements StreamReader {
  #response: Fields = {};
  #error: string | undefined;
  #over = false;
  readonly #items: Growing[] = [];
  readonly #byId = new Map<string, Growing>();
  readonly #byIndex = new Map<number, Growing>();

  /** Whether the response has come to its end. */
  get over(): boolean {
    return this.#over;
  }

  /** Takes the next event. */
  push(fields: Fields): void {
    const { response, item } = fields;
    const type = textOf(fields.type);
    this.#error ??= errorOf(fields);
    // As it is documented, members of an error are the event's own; as it is sent, they may be in an object.
    if (type === "error") this.#error ??= textOf(fields.message) || "an error without a message";
    if (isFields(response)) {
      // Usage that was told stays told.
      this.#response = { ...response, usage: isFields(response.usage) ? response.usage : this.#response.usage ?? null };
      this.#error ??= errorIn(response);
    }
    if (LAST.has(type)) this.#over = true;
    if (type === "response.output_item.added" && isFields(item)) this.#begin(item, fields);
    const growing = this.#byId.get(textOf(fields.item_id) || (isFields(item) ? textOf(item.id) : "")) ??
      this.#byIndex.get(numberOf(fields.output_index));
    if (growing === undefined) {
      // Some servers give an item only when it is whole.
      if (type === "response.output_item.done" && isFields(item)) this.#begin(item, fields).done = true;
      return;
    }
    const delta = textOf(fields.delta);
    if (type === "response.output_text.delta") growing.text += delta;
    if (type === "response.refusal.delta") growing.refusal += delta;
    if (type === "response.function_call_arguments.delta") growing.written += delta;
    if (type === "response.output_item.done" && isFields(item)) [growing.item, growing.done] = [item, true];
  }

  /** What has been read so far. */
  read(): ReadReply {
    const items = this.#items.map(soFar);
    return readResponse(this.#response, items.length > 0 ? items : objectsOf(this.#response.output), this.#error);
  }

  #begin(item: Fields, { output_index: index }: Fields): Growing {
    const growing = { item, done: false, text: "", refusal: "", written: "" };
    this.#items.push(growing);
    // What has no id is known by its place alone.
    if (textOf(item.id) !== "") this.#byId.set(textOf(item.id), growing);
    this.#byIndex.set(numberOf(index), growing);
    return growing;
  }
}

/** An item with what has come of it. */
function soFar({ item, done, text, refusal, written }: Growing): Fields {
  if (done) return item;
  if (item.type === "function_call") return { ...item, arguments: textOf(item.arguments) + written };
  if (item.type !== "message") return item;
  const parts = refusal === "" ? [{ type: "output_text", text }] : [{ type: "refusal", refusal }];
  return { ...item, content: [...objectsOf(item.content), ...parts] };
}
