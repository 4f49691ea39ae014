/**
 * kill -9 in earnest: the reference is a process, killed right after an event and started again with what is on the disk.
 * Servers, model, operator and the record of effects live on in the parent.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Answer, contracts, ScriptedModel } from "../../agents/mod.ts";
import { type ByteConnection, canonicalJson, Random, RealClock } from "../../core/mod.ts";
import { FixtureHost, FIXTURES, FixtureServer, repeatedEffects } from "../../servers/mod.ts";
import { scriptOf } from "../runner/script.ts";
import { scenarioNamed, type WrittenScenario } from "../testing/cells.ts";
import { type Ask, type Errand, type Line, lines, socketConnection } from "./resume_socket.ts";

const SCENARIO = scenarioNamed("refund-over-the-limit");
const SERVERS = ["orders", "refunds"];
/** Kills at events drawn by seed, besides those at moments that are known to matter. */
const DRAWN = 3;
const CHILD = fileURLToPath(new URL("./resume_child.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const LOCK = fileURLToPath(new URL("../../deno.dev.lock", import.meta.url));

type Event = Extract<Line, { event: string }>;

/** When to kill: right after an event, or when the server is about to say what it has done. */
type Moment =
  | { readonly kind: "event"; readonly when: (event: Event, index: number) => boolean }
  | { readonly kind: "paid" };

/** All that outlives the process. */
class World implements AsyncDisposable {
  readonly hosts = new Map<string, FixtureHost>();
  readonly #listeners: Deno.TcpListener[] = [];
  readonly #open = new Set<ByteConnection>();
  readonly #serving: Promise<void>[] = [];
  readonly #model: ScriptedModel;
  readonly #folder: string;
  readonly #ports = new Map<string, number>();
  readonly #people: number;
  /** Kills the process in place of sending what the refund desk has to say. */
  #onPaid: (() => void) | undefined;

  constructor(private readonly scenario: WrittenScenario) {
    const clock = new RealClock();
    // Nobody takes any time: the kill is told by events, and never by a clock.
    const script = new Map(
      [...scriptOf(scenario)].map(([agent, turns]) => [agent, turns.map(({ takesMs: _, ...turn }) => turn)]),
    );
    this.#model = new ScriptedModel(script, clock);
    this.#folder = Deno.makeTempDirSync({ dir: "/tmp", prefix: "brownout-resume-" });
    for (const name of SERVERS) {
      const host = new FixtureHost(FIXTURES.get(name) ?? assert.fail(name));
      host.bind({ data: scenario.servers[name] ?? {}, clock });
      this.hosts.set(name, host);
      this.#ports.set(
        name,
        this.#listen((connection) => void new FixtureServer(host, this.#watched(connection)).start()),
      );
    }
    this.#people = this.#listen((connection) => this.#answer(connection));
  }

  get ledger() {
    return [...this.hosts.values()].flatMap(({ ledger }) => ledger);
  }

  /** One life of the process. What it told, and its answer if it came to one. */
  async live(isResumed: boolean, moment?: Moment): Promise<{ events: Event[]; answer: Answer | undefined }> {
    if (isResumed) this.#model.resume();
    const errand: Errand = {
      ...{ folder: this.#folder, isResumed, request: this.scenario.request, crew: this.scenario.crew },
      ...{ servers: Object.fromEntries(this.#ports), people: this.#people },
    };
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--no-check", "--cached-only", "--config", CONFIG, "--lock", LOCK],
        ...["--allow-read", `--allow-write=${this.#folder}`, "--allow-net=127.0.0.1", "--allow-env"],
        ...[CHILD, JSON.stringify(errand)],
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    let isKilled = false;
    const kill = () => {
      if (isKilled) return;
      isKilled = true;
      child.kill("SIGKILL");
    };
    if (moment?.kind === "paid") this.#onPaid = kill;
    const events: Event[] = [];
    let answer: Answer | undefined;
    const go = child.stdin.getWriter();
    let rest = "";
    try {
      for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const told: Line = JSON.parse(line);
          if ("answer" in told) answer = contracts.Answer.parse(told.answer);
          else {
            events.push(told);
            if (moment?.kind === "event" && moment.when(told, events.length - 1)) kill();
            else await go.write(new Uint8Array(1)).catch(() => {}); // killed meanwhile
          }
        }
      }
      await go.close().catch(() => {});
      const { signal, success } = await child.status;
      if (moment === undefined) assert.ok(success, "the process ended well");
      else assert.equal(signal, "SIGKILL", "it was killed, and did not end by itself");
    } finally {
      this.#onPaid = undefined;
      endLeftOver(child);
    }
    return { events, answer };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const listener of this.#listeners) listener.close();
    for (const connection of this.#open) await connection.close();
    await Promise.all(this.#serving);
    await Deno.remove(this.#folder, { recursive: true });
  }

  #listen(serve: (connection: ByteConnection) => void): number {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.#listeners.push(listener);
    const accept = async () => {
      for await (const socket of listener) {
        const connection = socketConnection(socket);
        this.#open.add(connection);
        serve(connection);
      }
    };
    this.#serving.push(accept());
    return listener.addr.port;
  }

  #watched(connection: ByteConnection): ByteConnection {
    return {
      open: (reader) => connection.open(reader),
      close: () => connection.close(),
      write: (chunk) => {
        const isPaid = this.ledger.some(({ effects }) => effects.length > 0);
        if (isPaid && this.#onPaid !== undefined) return this.#onPaid();
        return connection.write(chunk);
      },
    };
  }

  /** Model and operator, on one connection. */
  #answer(connection: ByteConnection): void {
    const say = lines<Ask>(connection, async (ask) => {
      const { id } = ask;
      if (ask.who === "model") say({ id, turn: await this.#model.next(ask.what, new AbortController().signal) });
      else say({ id, decision: { decision: "approve", binding: ask.what.binding } });
    });
  }
}

/** Ends a process that a failed test may have left. */
function endLeftOver(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended, as it should have.
  }
}

/** Calls that may have acted, for all that was told: sent, and not ended. */
function inDoubt(events: readonly Event[]): string[] {
  const open = new Set<string>();
  for (const { event, span, detail } of events) {
    if (event === "effect" && detail["state"] === "sent") open.add(span);
    else if (event === "effect") open.delete(span);
  }
  return [...open];
}

/** Nobody who has reported is handed a packet again. */
function assertNobodyAgain(events: readonly Event[], about: string): void {
  const reported = new Set<string>();
  for (const { event, detail } of events) {
    if (event === "report") reported.add(contracts.Report.parse(detail["report"]).packetId);
    if (event !== "packet") continue;
    const { id } = contracts.Handoff.parse(detail["packet"]);
    assert.ok(!reported.has(id), `${about}: ${id} had reported, and works again`);
  }
}

const isEffect = (state: string) => ({ event, detail }: Event) => event === "effect" && detail["state"] === state;

Deno.test("the reference, killed with SIGKILL at any moment and started again, gives the same answer and pays once", async (t) => {
  await using healthy = new World(SCENARIO);
  const whole = await healthy.live(false);
  assert.equal(whole.answer?.status, "complete");
  assert.equal(healthy.ledger.flatMap(({ effects }) => effects).length, 1);

  const random = new Random("kill -9");
  const drawn = Array.from({ length: DRAWN }, () => Math.floor(random.next() * whole.events.length));
  const moments: [string, Moment][] = [
    ...drawn.map((k): [string, Moment] => [`after event ${k}`, { kind: "event", when: (_, index) => index === k }]),
    ["when it is decided", { kind: "event", when: ({ event }) => event === "approval" }],
    ["when it is sent", { kind: "event", when: isEffect("sent") }],
    ["when it is paid and not yet said", { kind: "paid" }],
    ["when the receipt is on record", { kind: "event", when: isEffect("done") }],
    ["when the answer is made", { kind: "event", when: ({ event }) => event === "answer" }],
  ];
  for (const [about, moment] of moments) {
    await t.step(about, async () => {
      await using world = new World(SCENARIO);
      const first = await world.live(false, moment);
      assert.equal(first.answer, undefined);
      const second = await world.live(true);
      const had = world.ledger.flatMap(({ effects }) => effects);
      assert.deepEqual(repeatedEffects(world.ledger), [], "no effect twice");
      assertNobodyAgain([...first.events, ...second.events], about);
      if (inDoubt(first.events).length === 0) {
        assert.equal(canonicalJson(second.answer ?? null), canonicalJson(whole.answer ?? null));
        assert.equal(had.length, 1);
      } else {
        const codes = second.answer?.failures.map(({ specialist, code }) => `${specialist} ${code}`);
        assert.deepEqual(codes, ["cashier outcome_unknown"]);
        assert.equal(had.length, moment.kind === "paid" ? 1 : 0);
      }
    });
  }
});
