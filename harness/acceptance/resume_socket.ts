/** What the test of a real kill and its child program share: a socket as a byte connection, and what the child is told. */
import type { ApprovalDecision, ApprovalRequest, ModelRequest, ModelTurn } from "../../agents/mod.ts";
import { type ByteConnection, ClosedError, encodeLine, type Json, LineSplitter } from "../../core/mod.ts";

/** What the child is told, as JSON, in its one argument. */
export interface Errand {
  /** The folder with the files of the run. */
  readonly folder: string;
  /** Whether it goes on with a run that was killed. */
  readonly isResumed: boolean;
  /** What the user asks. */
  readonly request: string;
  /** The team, by name. */
  readonly crew: string;
  /** Where each server listens, by name. */
  readonly servers: { readonly [name: string]: number };
  /** Where model and operator listen. */
  readonly people: number;
}

/** One line of the child's stdout. After an event it stands still until a byte comes in. */
export type Line =
  | {
    readonly event: string;
    readonly span: string;
    readonly detail: { readonly [key: string]: Json | undefined };
  }
  | { readonly answer: Json };

/** What the child asks model and operator, a line each. */
export type Ask =
  | { readonly id: number; readonly who: "model"; readonly what: ModelRequest }
  | { readonly id: number; readonly who: "operator"; readonly what: ApprovalRequest };

/** What is said to it, a line each. */
export type Said = { readonly id: number; readonly turn?: ModelTurn; readonly decision?: ApprovalDecision };

/** Reads a connection line by line. @returns What writes a line to it; what the other end no longer hears is lost. */
export function lines<T>(connection: ByteConnection, heard: (line: T) => void): (line: Ask | Said) => void {
  const splitter = new LineSplitter({ line: (text) => heard(JSON.parse(text)), overlong: () => {} });
  connection.open({ bytes: (chunk) => splitter.push(chunk), closed: () => {} });
  return (line) => void Promise.resolve(connection.write(encodeLine(line))).catch(() => {});
}

/** A TCP socket of this machine as a byte connection. */
export function socketConnection(socket: Deno.TcpConn): ByteConnection {
  let isClosed = false;
  let written: Promise<void> = Promise.resolve();
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    socket.close();
  };
  const send = async (chunk: Uint8Array): Promise<void> => {
    for (let at = 0; at < chunk.length;) {
      if (isClosed) throw new ClosedError();
      try {
        at += await socket.write(chunk.subarray(at));
      } catch {
        throw new ClosedError();
      }
    }
  };
  return {
    async open(reader) {
      const buffer = new Uint8Array(65_536);
      for (;;) {
        // What fails was killed at the other end, or closed at this one.
        const length = isClosed ? null : await socket.read(buffer).catch(() => null);
        if (length === null) break;
        reader.bytes(buffer.slice(0, length));
      }
      close();
      reader.closed();
    },
    write(chunk) {
      // Whole chunks, one after the other, whatever became of those before.
      return written = written.catch(() => {}).then(() => send(chunk));
    },
    close() {
      close();
      return Promise.resolve();
    },
  };
}
