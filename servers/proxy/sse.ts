/** Streams of server-sent events, cut into events without changing those that nobody touches. */

/** One event. */
export interface SseEvent {
  /** Its text as it came, the blank line included. */
  readonly raw: string;
  /** Its data; `undefined` if it has none, as a comment or a `retry`. */
  readonly data: string | undefined;
}

/** Cuts a stream's text into events. */
export class SseSplitter {
  #rest = "";

  /** Takes the next piece, and gives back the events that are whole. */
  push(text: string): SseEvent[] {
    this.#rest += text;
    const events: SseEvent[] = [];
    for (;;) {
      const end = /\r\n\r\n|\n\n|\r\r/.exec(this.#rest);
      if (end === null) return events;
      const raw = this.#rest.slice(0, end.index + end[0].length);
      this.#rest = this.#rest.slice(raw.length);
      events.push({ raw, data: dataOf(raw) });
    }
  }

  /** What has no blank line after it. */
  get rest(): string {
    return this.#rest;
  }
}

function dataOf(raw: string): string | undefined {
  const lines = raw.split(/\r\n|\n|\r/).flatMap((line) => {
    const [, value] = /^data(?::(?: ?)(.*))?$/.exec(line) ?? [undefined, null];
    return value === null ? [] : [value ?? ""];
  });
  const data = lines.join("\n");
  return data === "" ? undefined : data;
}

/** The event with other data: its id and its name stay. */
export function withData({ raw }: SseEvent, data: string): string {
  const kept = raw.split(/\r\n|\n|\r/).filter((line) => line !== "" && !/^data(:|$)/.test(line));
  return [...kept, ...dataLines(data), "", ""].join("\n");
}

/** An event that is a message. */
export function messageEvent(data: string): string {
  return ["event: message", ...dataLines(data), "", ""].join("\n");
}

function dataLines(data: string): string[] {
  return data.split(/\r\n|\n|\r/).map((line) => `data: ${line}`);
}
