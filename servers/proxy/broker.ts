/**
 * Deno's permission broker (`DENO_PERMISSION_BROKER_PATH`, experimental since 2.5; denoland/deno#30826): a server under
 * Deno asks a socket of ours before it touches anything.
 */
import { type Clock, LineSplitter, sleep } from "../../core/mod.ts";
import { z } from "zod";
import type { BrokerBoard, CallInFlight } from "./broker_board.ts";
import type { BrokerJudge } from "./broker_rules.ts";
import { ProxyUsageError } from "./options.ts";

/** The variable by which Deno finds its broker. */
export const BROKER_PATH = "DENO_PERMISSION_BROKER_PATH";

/** One access that a server has asked for. */
export type BrokerEvent = {
  readonly type: "access";
  readonly server: string;
  /** Process id of who asked: the server, or a process that it has started. */
  readonly pid: number;
  /** Kind of access, as Deno names it. */
  readonly access: string;
  /** Path, host or variable; not there if it was asked for all of them. */
  readonly value?: string;
  readonly result: "allow" | "deny" | "cut";
  /** Why it was denied. */
  readonly reason?: string;
  /** How long the answer was held back, in milliseconds. */
  readonly delayed?: number;
  /** The calls in flight: with one, the access is that call's; with none, the server's own. */
  readonly calls: readonly CallInFlight[];
};

/** What a broker needs. */
export interface BrokerOptions {
  /** The server's name. */
  server: string;
  /** What may be touched when no fault stands over it. */
  judge: BrokerJudge;
  /** Which calls are in flight, and which faults stand over them. */
  board: BrokerBoard;
  /** What delays wait on. */
  clock: Clock;
  /** Told of each access. */
  audit(event: BrokerEvent): void;
  /** Told when a fault strikes a call for the first time. */
  struck(fault: string, call: CallInFlight): void;
}

const check = z.object({
  v: z.literal(1),
  pid: z.int(),
  id: z.int(),
  permission: z.string(),
  value: z.string().nullish(),
});

/** A listening broker. Who is connected when it is closed loses it, and ends. */
export class PermissionBroker implements AsyncDisposable {
  /** The socket's path. */
  readonly path: string;
  readonly #folder: string;
  readonly #listener: Deno.UnixListener;
  readonly #open = new Set<Deno.UnixConn>();
  readonly #over = new AbortController();
  readonly #done: Promise<unknown>;
  readonly #working = new Set<Promise<void>>();
  readonly #options: BrokerOptions;

  /**
   * Begins to listen, in a folder that nobody else can enter.
   *
   * @throws {ProxyUsageError} Without the permission to.
   */
  constructor(options: BrokerOptions) {
    this.#options = options;
    try {
      this.#folder = Deno.makeTempDirSync({ prefix: "brownout-" });
    } catch (error) {
      throw new ProxyUsageError(`the broker needs a temporary folder: run deno with --allow-write (${error})`);
    }
    this.path = `${this.#folder}/broker.sock`;
    try {
      this.#listener = Deno.listen({ transport: "unix", path: this.path });
    } catch (error) {
      Deno.removeSync(this.#folder, { recursive: true });
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
      throw new ProxyUsageError("the broker listens on a socket: run deno with --allow-net");
    }
    this.#done = this.#accept();
  }

  /** Stops listening, and lets go of everybody. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    this.#listener.close();
    for (const connection of this.#open) hangUp(connection);
    await this.#done;
    await Promise.all(this.#working);
    await Deno.remove(this.#folder, { recursive: true }).catch(() => {});
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) {
      this.#open.add(connection);
      const work = this.#serve(connection).catch(() => {}).finally(() => {
        this.#open.delete(connection);
        this.#working.delete(work);
        hangUp(connection);
      });
      this.#working.add(work);
    }
  }

  async #serve(connection: Deno.UnixConn): Promise<void> {
    const lines: string[] = [];
    const splitter = new LineSplitter({ line: (text) => lines.push(text), overlong: () => hangUp(connection) });
    const buffer = new Uint8Array(16_384);
    for (;;) {
      const count = await connection.read(buffer);
      if (count === null) return;
      splitter.push(buffer.slice(0, count));
      // Who asks waits for the answer: one at a time, in order.
      for (const line of lines.splice(0)) {
        const answer = await this.#answer(check.parse(JSON.parse(line)));
        if (answer === undefined) return;
        const bytes = new TextEncoder().encode(`${JSON.stringify(answer)}\n`);
        for (let done = 0; done < bytes.length;) done += await connection.write(bytes.subarray(done));
      }
    }
  }

  /** `undefined` to hang up, at which Deno ends the process. */
  async #answer({ id, pid, permission, value: given }: z.output<typeof check>) {
    const { server, board, judge, clock, audit, struck } = this.#options;
    const { calls } = board;
    const value = given ?? undefined;
    const base = { type: "access", server, pid, access: permission, ...(value !== undefined && { value }) } as const;
    const effects = board.strike(permission, value ?? "", ({ fault }, of) => struck(fault, of));
    const ms = effects.reduce((sum, { does }) => does.kind === "delay" ? sum + does.ms : sum, 0);
    if (ms > 0) await sleep(clock, ms, this.#over.signal);
    const rest = { ...(ms > 0 && { delayed: ms }), calls };
    const last = effects.at(-1)?.does;
    if (last?.kind === "cut") {
      audit({ ...base, result: "cut", ...rest });
      return undefined;
    }
    const reason = last?.kind === "deny" ? last.reason : judge(permission, value);
    audit({
      ...base,
      result: reason === undefined ? "allow" : "deny",
      ...(reason !== undefined && { reason }),
      ...rest,
    });
    return reason === undefined ? { id, result: "allow" } : { id, result: "deny", reason };
  }
}

function hangUp(connection: Deno.UnixConn): void {
  try {
    connection.close();
  } catch {
    // It is closed already.
  }
}
