/** `--subject http://localhost:8080/…`: a server on this machine as a subject. */
import type { Answer } from "../../../agents/mod.ts";
import { clip, oneLine } from "../../../core/mod.ts";
import { UsageError } from "../../cli/exit.ts";
import { ForeignEnd, type ForeignSubject, type ForeignWorld } from "../foreign.ts";
import type { Address } from "./address.ts";
import { ofText, sayIfSilent } from "./conclusion.ts";
import { openDoors } from "./doors.ts";
import { passedOn, type ShimRunner, shimRunner, tell } from "./environment.ts";
import { modelFront } from "./model_front.ts";
import { MAX_OUTPUT_BYTES } from "./process.ts";

/** How long connections may take to be closed once the subject has answered, in milliseconds. */
const CLOSING_MS = 1000;

/**
 * Makes a subject of an address.
 *
 * @throws {UsageError} If nobody listens there.
 */
export async function httpSubject({ url, name }: Address): Promise<ForeignSubject> {
  try {
    (await Deno.connect({ hostname: url.hostname, port: Number(url.port || "80") })).close();
  } catch {
    // "localhost" may be ::1 for whoever listens there.
    throw new UsageError(
      `--subject: nobody listens at ${url.origin}; let your server listen on 127.0.0.1, and start it first`,
    );
  }
  const runner = await shimRunner(passedOn()["PATH"] ?? "");
  const runForeign = (world: ForeignWorld) => runRequest(world, { url, runner });
  return {
    name,
    summary: `the server at ${url.href}`,
    shows: [],
    runForeign,
    run: (world) => runForeign({ ...world, deadlineMs: 120_000, match: new Map(), record: () => {} }),
  };
}

async function runRequest(
  world: ForeignWorld,
  { url, runner }: { readonly url: URL; readonly runner: ShimRunner },
): Promise<Answer> {
  await using front = await modelFront(world);
  await using doors = openDoors(world.ports);
  const { signal } = world;
  const told = tell(world, { modelUrl: front.url, doors, runner });
  const body = await ask(url, JSON.stringify(told), signal);
  const answer = ofText(body, world, "it sent an empty body");
  world.record("subject.process", { open: await doors.empty(CLOSING_MS) });
  sayIfSilent(front, world);
  return answer;
}

/** Sends the request and reads the reply, no more of it than is allowed. */
async function ask(url: URL, body: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const headers = { "content-type": "application/json", accept: "application/json, text/plain" };
    const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    const read = await readLimited(response);
    if (response.ok) return read;
    const said = clip(oneLine(new TextDecoder().decode(read)), 200);
    throw new ForeignEnd(`it replied with status ${response.status}${said === "" ? "" : `: ${said}`}`);
  } catch (error) {
    if (error instanceof ForeignEnd) throw error;
    if (signal.aborted) throw new ForeignEnd("it had not replied");
    throw new ForeignEnd("the connection broke before it had replied");
  }
}

async function readLimited({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_OUTPUT_BYTES) throw new ForeignEnd(`its reply has more than ${MAX_OUTPUT_BYTES} bytes`);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
