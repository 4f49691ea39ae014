/**
 * A server of somebody else as a process, for one cell: it knows no reset, so the next cell gets a new one, in a folder
 * of its own.
 */
import {
  type ByteConnection,
  type ChildConnection,
  ClosedError,
  encodeLine,
  LineSplitter,
  spawnChild,
} from "../../core/mod.ts";
import { SPAN } from "../../servers/mod.ts";
import { FixtureError } from "./fixture_process.ts";
import { Reading } from "./reading.ts";
import type { ServerProcess } from "./server_process.ts";
import type { ThirdParty } from "./third_party.ts";

/** How long one may take to start, its download included, in real milliseconds. */
const READY_MS = 120_000;
const READY_ID = "brownout-ready";

/** Variables by which Deno downloads what it has not yet. They are passed on if this process may read them. */
// deno-fmt-ignore
const DOWNLOAD_VARIABLES = [
  "DENO_CERT", "DENO_TLS_CA_STORE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
  "NPM_CONFIG_REGISTRY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
] as const;

/** A call as the lane has seen it: these servers keep no record, so it is kept for them. */
interface SeenCall {
  readonly call: number;
  readonly tool: string;
  readonly args: unknown;
  readonly span: string | null;
  outcome: "open" | "answered" | "failed" | "aborted";
  readonly effects: readonly never[];
}

/** What passes may be. */
type Fields = { readonly [key: string]: unknown };

/** A running server of somebody else. */
export class ThirdPartyProcess implements ServerProcess {
  readonly #child: ChildConnection;
  readonly #calls: SeenCall[] = [];
  /** Calls that wait for their reply, by the id of their request. */
  readonly #waiting = new Map<unknown, SeenCall>();
  #ready: (() => void) | undefined;
  readonly #reading = new Reading();
  #gone = false;
  #canLease = true;
  #closing: Promise<void> | undefined;

  private constructor(
    readonly fixture: string,
    private readonly party: ThirdParty,
    /** The cell's folder. What the server is given lies in it under the name that its twin uses, so that a path that
     * leads out of there is the same in both, too. */
    private readonly folder: string,
    child: ChildConnection,
  ) {
    this.#child = child;
    const lines = new LineSplitter({
      line: (text) => this.#fromServer(text),
      overlong: () => this.#reading.end(),
    });
    child.open({
      bytes: (chunk) => lines.push(chunk),
      closed: () => {
        this.#gone = true;
        this.#ready?.();
        this.#reading.end();
      },
    });
  }

  /**
   * Starts a server on a cell's data.
   *
   * @param env Environment of the process; it needs to find Deno's cache.
   */
  static start(
    fixture: string,
    party: ThirdParty,
    data: unknown,
    env: Readonly<Record<string, string>>,
  ): ThirdPartyProcess {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ dir: "/tmp", prefix: "brownout-party-" }));
    try {
      const inner = `${folder}${party.root}`;
      Deno.mkdirSync(inner);
      const launch = party.prepare(inner, data);
      // Neither this project's configuration nor its lock file is theirs, and nothing of the machine but their folder.
      const args = [
        ...["run", "--quiet", "--no-prompt", "--no-config", "--no-lock"],
        ...[`--allow-read=${folder}`, `--allow-write=${folder}`, "--allow-env", "--allow-sys"],
        ...[`npm:${party.package}`, ...launch.args],
      ];
      const variables = { ...downloadEnv(), ...env, ...launch.env };
      const child = spawnChild({ command: Deno.execPath(), args, cwd: folder, env: variables });
      return new ThirdPartyProcess(fixture, party, folder, child);
    } catch (error) {
      Deno.removeSync(folder, { recursive: true });
      throw error;
    }
  }

  /**
   * Waits until the server answers.
   *
   * @throws {FixtureError} If it does not, with the end of its stderr.
   */
  async ready(): Promise<void> {
    const name = this.party.package;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#ready = resolve;
    const late = () => reject(new FixtureError(`${name} was not ready after ${READY_MS} ms`));
    const timer = setTimeout(late, READY_MS);
    // The one request that may come before a session begins.
    this.#child.write(encodeLine({ jsonrpc: "2.0", id: READY_ID, method: "ping" })).catch(() => {});
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#ready = undefined;
    }
    if (this.#gone) {
      throw new FixtureError(`${name} did not start (it comes from npm): ${this.#child.stderrTail.trim()}`);
    }
  }

  /** Never: what it holds in memory cannot be taken from it, so no other cell may have it. */
  get isAlive(): boolean {
    return false;
  }

  /** Its process id. */
  get pid(): number {
    return this.#child.pid;
  }

  lease(): ByteConnection {
    if (!this.#canLease) throw new Error(`${this.fixture} is leased already`);
    this.#canLease = false;
    const lines = new LineSplitter({ line: (text) => this.#fromHub(text), overlong: () => {} });
    return this.#reading.connection({
      isGone: () => this.#gone,
      write: (chunk) => {
        if (this.#gone) throw new ClosedError();
        lines.push(chunk);
      },
    });
  }

  ledger(): Promise<unknown> {
    if (this.#reading.isTaken) {
      return Promise.reject(new FixtureError(`${this.fixture} is leased, and asked for its ledger`));
    }
    this.#canLease = true;
    return Promise.resolve({ calls: this.#calls });
  }

  close(): Promise<void> {
    return this.#closing ??= this.#end();
  }

  async #end(): Promise<void> {
    this.#gone = true;
    // Some of them do not mind the end of their stdin, and it would cost a grace period to find out.
    this.#child.kill("SIGTERM");
    await this.#child.close();
    await Deno.remove(this.folder, { recursive: true });
  }

  #fromHub(text: string): void {
    this.#note(parse(text));
    const mapped = text.replaceAll(`"${this.party.root}`, `"${this.folder}${this.party.root}`);
    this.#child.write(new TextEncoder().encode(`${mapped}\n`)).catch(() => {});
  }

  #fromServer(text: string): void {
    const message = parse(text);
    if (message?.id === READY_ID) return this.#ready?.();
    const call = message?.method === undefined ? this.#waiting.get(message?.id) : undefined;
    if (call !== undefined) {
      this.#waiting.delete(message?.id);
      const failed = !isFields(message?.result) || message.result.isError === true;
      if (call.outcome === "open") call.outcome = failed ? "failed" : "answered";
    }
    this.#reading.bytes(new TextEncoder().encode(`${text.replaceAll(this.folder, "")}\n`));
  }

  /** Writes a call, or its end by its caller, into the record. */
  #note(message: Fields | undefined): void {
    if (message === undefined || !isFields(message.params)) return;
    const { params } = message;
    if (message.method === "tools/call") {
      const span = isFields(params._meta) ? params._meta[SPAN] : undefined;
      const call: SeenCall = {
        call: this.#calls.length + 1,
        tool: String(params.name),
        args: params.arguments ?? {},
        span: typeof span === "string" ? span : null,
        outcome: "open",
        effects: [],
      };
      this.#calls.push(call);
      this.#waiting.set(message.id, call);
    } else if (message.method === "notifications/cancelled") {
      const call = this.#waiting.get(params.requestId);
      if (call !== undefined) call.outcome = "aborted";
    }
  }
}

function downloadEnv(): Record<string, string> {
  return Object.fromEntries(DOWNLOAD_VARIABLES.flatMap((variable) => {
    if (Deno.permissions.querySync({ name: "env", variable }).state !== "granted") return [];
    const value = Deno.env.get(variable);
    return value === undefined ? [] : [[variable, value]];
  }));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): Fields | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isFields(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
