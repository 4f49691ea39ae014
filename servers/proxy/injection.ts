/** The injector of one proxy: its faults, its record, its permission broker, and the commands that it starts. */
import { type ByteConnection, type ChildConnection, type Clock, RealClock } from "../../core/mod.ts";
import type { Fault, FaultEntry } from "../faults/fault.ts";
import { FAULTS } from "../faults/registry.ts";
import { FaultLink } from "../injector.ts";
import type { WorldEvent } from "../world_event.ts";
import { BROKER_PATH, PermissionBroker } from "./broker.ts";
import { BrokerBoard } from "./broker_board.ts";
import { BROKER_FAULTS, brokerFaults } from "./broker_faults.ts";
import { judgeBy, loadBrokerRules } from "./broker_rules.ts";
import { startCommand } from "./command.ts";
import { signalGroup } from "./group.ts";
import { type ProxyOptions, ProxyUsageError } from "./options.ts";
import { loadPlan } from "./plan.ts";
import { Recorder } from "./recorder.ts";

/** A bound {@linkcode FaultLink}, and what it takes to say afterwards what happened. */
export class Injection implements AsyncDisposable {
  /** The real clock on which faults wait. */
  readonly clock: Clock;
  /** What stands between clients and servers. */
  readonly link: FaultLink;
  /** Whether a fault holds back the end of a connection. */
  readonly closesLate: boolean;
  /** Whether there is a fault at this server. */
  readonly hasFaults: boolean;
  readonly #options: ProxyOptions;
  readonly #faults: readonly FaultEntry[];
  readonly #recorder: Recorder | undefined;
  readonly #broker: PermissionBroker | undefined;
  readonly #fired = new Set<string>();
  #wasConnected = false;
  readonly #children = new Set<ChildConnection>();
  /** Ends of children that are still to be written down. */
  readonly #ends = new Set<Promise<void>>();

  private constructor(
    options: ProxyOptions,
    parts: Parts,
    connect: (injection: Injection) => ByteConnection | Promise<ByteConnection>,
  ) {
    const { clock, faults, catalogue, recorder, broker, observe } = parts;
    this.#options = options;
    this.clock = clock;
    this.#faults = faults;
    this.#recorder = recorder;
    this.#broker = broker;
    this.hasFaults = faults.length > 0;
    this.closesLate = faults.some(({ fault, at: _, when: __, ...params }) =>
      catalogue.get(fault)?.arm(params).close !== undefined
    );
    this.link = new FaultLink({ server: options.name, catalogue, connect: () => connect(this) });
    parts.told.push((event) => this.#note(event));
    this.link.bind({ faults, clock, seed: options.seed, observer: observe });
    recorder?.write({
      type: "start",
      server: options.name,
      ...(options.upstream === undefined ? { command: options.command } : { upstream: options.upstream }),
      faults,
    });
  }

  /**
   * Reads the plan, opens the record and the broker, and binds the link.
   *
   * @param connect Connects to the server; called for each connection.
   * @throws {ProxyUsageError} If something that is asked for cannot be had.
   */
  static async open(
    options: ProxyOptions,
    connect: (injection: Injection) => ByteConnection | Promise<ByteConnection>,
  ): Promise<Injection> {
    const { name, say, record, broker: rules, cwd } = options;
    const board = new BrokerBoard();
    const catalogue = new Map([...FAULTS, ...brokerFaults(board).map((fault): [string, Fault] => [fault.id, fault])]);
    const faults = await loadPlan(options, catalogue);
    const needy = rules === undefined
      ? faults.find(({ fault }) => BROKER_FAULTS.some(({ id }) => id === fault))
      : undefined;
    if (needy !== undefined) {
      throw new ProxyUsageError(
        `the fault ${needy.fault} needs the permission broker: add --broker allow, or its rules`,
      );
    }
    const judge = rules === undefined ? undefined : judgeBy(await loadBrokerRules(rules, cwd), cwd);
    const clock = new RealClock();
    const recorder = record === undefined ? undefined : new Recorder(record, clock, say);
    const told: ((event: WorldEvent) => void)[] = [];
    const observe = (event: WorldEvent) => {
      for (const tell of told) tell(event);
    };
    try {
      const broker = judge === undefined ? undefined : new PermissionBroker({
        server: name,
        judge,
        board,
        clock,
        audit: (event) => recorder?.write(event),
        struck: (fault, { tool, call }) =>
          observe({ type: "fault", server: name, fault, at: `${name}.${tool}`, tool, call }),
      });
      if (broker !== undefined) told.push(board.observe);
      return new Injection(options, { clock, faults, catalogue, recorder, broker, observe, told }, connect);
    } catch (error) {
      recorder?.[Symbol.dispose]();
      throw error;
    }
  }

  /** Starts the command, with this proxy's broker. */
  start(): ChildConnection {
    const { command, cwd } = this.#options;
    const child = startCommand({
      command,
      cwd,
      env: this.#broker === undefined ? {} : { [BROKER_PATH]: this.#broker.path },
    });
    this.#children.add(child);
    const end = this.#seeEnd(child).finally(() => this.#ends.delete(end));
    this.#ends.add(end);
    return child;
  }

  async #seeEnd(child: ChildConnection): Promise<void> {
    const { code, signal } = await child.exited;
    this.#children.delete(child);
    if (this.#recorder === undefined) return;
    await child.stderrEnded;
    const stderr = child.stderrTail.slice(-2000);
    this.#recorder.write({ type: "exit", server: this.#options.name, code, signal, stderr });
  }

  /** Sends a signal to whatever has been started and is still there. */
  signal(signal: Deno.Signal): void {
    for (const { pid } of this.#children) signalGroup(pid, signal);
  }

  /** Ends every connection, says what never happened, and closes the record. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.link.close();
    await this.#broker?.[Symbol.asyncDispose]();
    const idle = this.#faults.filter(({ fault }) => !this.#fired.has(fault));
    if (idle.length > 0 && this.#wasConnected) {
      this.#options.say(`never fired: ${idle.map(({ fault, at }) => `${fault} at ${at}`).join(", ")}`);
    }
    await Promise.all(this.#ends);
    this.#recorder?.[Symbol.dispose]();
  }

  #note(event: WorldEvent): void {
    this.#recorder?.write(event);
    if (event.type === "connect" && event.ok) this.#wasConnected = true;
    if (event.type === "fault") this.#fired.add(event.fault);
    if (event.type === "fault_broke") {
      this.#options.say(`the fault ${event.fault} broke, and let the message pass: ${event.message}`);
    }
  }
}

interface Parts {
  readonly clock: Clock;
  readonly faults: readonly FaultEntry[];
  readonly catalogue: ReadonlyMap<string, Fault>;
  readonly recorder: Recorder | undefined;
  readonly broker: PermissionBroker | undefined;
  readonly observe: (event: WorldEvent) => void;
  readonly told: ((event: WorldEvent) => void)[];
}
