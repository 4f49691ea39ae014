/**
 * Everything that a cell may not do, one a line: the tests look up the line by its key.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import fs from "node:fs";
import timers from "node:timers";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { StrayError } from "../cell_error.ts";

/** Calls of globals: they throw, and name this line. */
// deno-fmt-ignore
export const calls: Record<string, () => unknown> = {
  "setTimeout": () => setTimeout(() => {}, 0),
  "setInterval": () => setInterval(() => {}, 0),
  "setImmediate": () => setImmediate(() => {}),
  "Date.now": () => Date.now(),
  "new Date()": () => new Date(),
  "Date()": () => Date(),
  "performance.now": () => performance.now(),
  "Temporal.Now.instant": () => Temporal.Now.instant(),
  "Math.random": () => Math.random(),
  "crypto.randomUUID": () => crypto.randomUUID(),
  "crypto.getRandomValues": () => crypto.getRandomValues(new Uint8Array(4)),
  "crypto.subtle.digest": () => crypto.subtle.digest("SHA-256", new Uint8Array(4)),
  "fetch": () => fetch("data:text/plain,x"),
  "WebSocket": () => new WebSocket("ws://127.0.0.1:9"),
  "Worker": () => new Worker(import.meta.resolve("./none.ts"), { type: "module" }),
  "MessageChannel": () => new MessageChannel(),
  "AbortSignal.timeout": () => AbortSignal.timeout(1),
  "Deno.readTextFile": () => Deno.readTextFile("deno.json"),
  "Deno.readTextFileSync": () => Deno.readTextFileSync("deno.json"),
  "Deno.stat": () => Deno.stat("deno.json"),
  "Deno.writeFileSync": () => Deno.writeFileSync("/dev/null", new Uint8Array()),
  "Deno.Command": () => new Deno.Command("true"),
  "Deno.serve": () => Deno.serve(() => new Response()),
  "Deno.connect": () => Deno.connect({ port: 9 }),
};

/**
 * Waits on something real that no global stands for. The runtime may answer some of them at once, which nobody can tell
 * from a microtask: they are repeated while the cell's turn goes on.
 */
// deno-fmt-ignore
export const waits: Record<string, (before: Captured, inTurn?: () => boolean) => Promise<unknown>> = {
  "node:fs/promises": async (_, inTurn) => { do await readFile("deno.json"); while (inTurn?.()); },
  "node:fs": async (_, inTurn) => { do await new Promise((end) => fs.readFile("deno.json", end)); while (inTurn?.()); },
  "captured digest": async ({ digest }, inTurn) => { do await digest("SHA-1", new Uint8Array(4)); while (inTurn?.()); },
  "captured readTextFile": async ({ readTextFile }, inTurn) => { do await readTextFile("deno.json"); while (inTurn?.()); },
  "process.nextTick": async () => await new Promise<void>((resolve) => process.nextTick(resolve)),
  "MessageChannel port": async ({ MessageChannel }, inTurn) => { do await receive(new MessageChannel()); while (inTurn?.()); },
};

/** A dynamic import of a module that has not been loaded. */
export const load = async (version: number): Promise<unknown> => await import(`./imported.ts?${version}`); // "import()"

/** Real timers by other names: they are found when they are asked for. */
// deno-fmt-ignore
export const realTimers: Record<string, (before: Captured) => Promise<unknown>> = {
  "node:timers": async () => await new Promise((resolve) => timers.setTimeout(resolve, 1)),
  "node:timers immediate": async () => await new Promise((resolve) => timers.setImmediate(resolve)),
  "node:timers/promises": async () => await wait(1),
  "captured setTimeout": async ({ setTimeout }) => await new Promise<void>((resolve) => setTimeout(resolve, 1)),
};

/** Functions taken before any guard is there. */
export const captured = {
  digest: crypto.subtle.digest.bind(crypto.subtle),
  readTextFile: Deno.readTextFile,
  setTimeout: globalThis.setTimeout,
  MessageChannel: globalThis.MessageChannel,
};

type Captured = typeof captured;

// Once anybody has loaded `node:worker_threads`, as the MCP SDK's client does, the runtime's own channel is replaced by
// Node's, which delivers the first message while the turn lasts.
async function receive({ port1, port2 }: MessageChannel): Promise<void> {
  // deno-fmt-ignore
  await new Promise((resolve) => (port1.onmessage = resolve, port2.postMessage(1))), port1.close(), port2.close(); // "MessageChannel port"
}

const FILE = "core/testdata/strays.ts";
const lines = Deno.readTextFileSync(FILE).split("\n");

/** A pattern for the place on the (last) line of this file that has the key in quotes. */
export function placeOfKey(key: string): RegExp {
  const line = lines.findLastIndex((text) => text.includes(`"${key}"`)) + 1;
  assert(line > 0, key);
  return new RegExp(`^${FILE}:${line}:\\d+$`);
}

/** Asserts that an error is a stray of this kind at this place. */
export function isStray(what: string, where: RegExp): (error: unknown) => true {
  return (error) => {
    assert(error instanceof StrayError, `${error}`);
    assert.equal(error.what, what);
    assert.match(error.where, where);
    assert(error.message.startsWith(`${what} at ${error.where}: a sim cell may wait only on its own clock`));
    return true;
  };
}
