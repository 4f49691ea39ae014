/** What a proxy is asked for. */
export interface ProxyOptions {
  /** The server's command and its arguments; none with `upstream`. */
  command: readonly string[];
  /** URL of the streamable HTTP server that stands in the command's place. */
  upstream?: string;
  /** Given, clients come over HTTP to this port of loopback rather than over stdin and stdout; 0 takes a free one. */
  listen?: number;
  /** Faults, as on the command line: `fault[:tool][,key=value…]`. */
  specs?: readonly string[];
  /** A YAML or JSON file of faults, as a scenario lists them. An absolute path. */
  file?: string;
  /** What faults and records call the server. */
  name: string;
  /** What everything random depends on. */
  seed: string;
  /** The file to which it is written what really happened. An absolute path. */
  record?: string;
  /**
   * How long the server may go on when stdin has ended, in milliseconds; only with stdio.
   *
   * @default 30_000
   */
  waitMs?: number;
  /** Rules for the runtime's permission broker, or a file of them. */
  broker?: string;
  /** The command's working folder, and what the path of a file of rules is relative to. */
  cwd: string;
  /** Ends the proxy, and the server with it. */
  signal: AbortSignal;
  /** Takes lines for people. They never go to stdout, which belongs to the protocol. */
  say(line: string): void;
}

/** What is asked for cannot be had; the message says why, and what can, in one line. */
export class ProxyUsageError extends Error {
  /** `ProxyUsageError` */
  override readonly name = "ProxyUsageError";
}
