/**
 * A client of a model over HTTP that does what a stream asks of its reader, and no more: bytes are decoded as a stream, a new
 * id is a new call, the last usage is the usage, an error in the stream is an error. For scenarios whose faults are in those
 * bytes; what official clients make of the same faults is tested with live models.
 */
import type { ModelRequest, ModelTurn } from "../../agents/mod.ts";
import { ANTHROPIC_STREAM } from "./anthropic_stream.ts";
import { OPENAI_STREAM } from "./openai_stream.ts";
import { failed, messageOf, parsed, type StreamProtocol } from "./stream_fields.ts";

/** The protocols, by the name that a scenario gives (`model_via`). */
const PROTOCOLS = { http: OPENAI_STREAM, anthropic: ANTHROPIC_STREAM } as const satisfies Record<
  string,
  StreamProtocol
>;

/** `http`: OpenAI's chat completions. `anthropic`: Anthropic's messages. */
export type StreamProtocolName = keyof typeof PROTOCOLS;

/** Whose endpoint it is. */
export interface StreamClientOptions {
  /** Which protocol is spoken. */
  readonly protocol: StreamProtocolName;
  /** Its base, with `/v1`. */
  readonly baseUrl: string;
  /** What it takes for a key. */
  readonly key: string;
}

/**
 * Asks once, for a stream.
 *
 * @throws {ModelCallError} If the provider says that it failed, by its status or within the stream, or the stream ends early.
 * @throws The signal's reason, if it aborts.
 */
export async function askStreamed(
  request: ModelRequest,
  { protocol, baseUrl, key }: StreamClientOptions,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const { path, headers, body, reply: open } = PROTOCOLS[protocol];
  const response = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { ...headers(key), "content-type": "application/json" },
    body: JSON.stringify(body(request)),
    signal,
  });
  if (!response.ok || response.body === null) {
    throw failed(response.status, messageOf(parsed(await response.text())));
  }
  const reply = open();
  let rest = "";
  // Never a piece at a time: a character may lie across two.
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    rest += text;
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = dataOf(event);
      if (data !== "" && data !== "[DONE]") reply.take(parsed(data));
    }
  }
  return reply.turn(request.tools.map(({ name }) => name));
}

function dataOf(event: string): string {
  const lines = event.split("\n").filter((line) => line.startsWith("data:"));
  return lines.map((line) => line.slice("data:".length).trim()).join("");
}
