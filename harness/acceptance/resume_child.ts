/**
 * The reference as a process that may be killed: what it keeps is on the disk, and all the rest of the world is its
 * parent's. It goes on after an event when its parent says so.
 */
import { reference } from "../../agents/mod.ts";
import { CREWS } from "../../agents/crews/mod.ts";
import { SqliteCheckpointer } from "../../agents/engine/sqlite.ts";
import { SqliteRunLog } from "../../agents/run_log_sqlite.ts";
import { encodeLine, RealClock } from "../../core/mod.ts";
import { type Ask, type Errand, type Line, lines, type Said, socketConnection } from "./resume_socket.ts";

/** Writes a line, whole. */
function tell(line: Line): void {
  const bytes = encodeLine(line);
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

const connect = async (port: number) => socketConnection(await Deno.connect({ hostname: "127.0.0.1", port }));

const errand: Errand = JSON.parse(Deno.args[0] ?? "");
const { folder, isResumed, request, servers } = errand;
const crew = CREWS.get(errand.crew);
if (crew === undefined) throw new RangeError(`no crew ${errand.crew}`);

const people = await connect(errand.people);
const waiting = new Map<number, (said: Said) => void>();
const send = lines<Said>(people, (said) => waiting.get(said.id)?.(said));
let asked = 0;
/** Asks the parent, whose model and operator they are. */
function ask(question: (id: number) => Ask): Promise<Said> {
  const id = ++asked;
  const { promise, resolve } = Promise.withResolvers<Said>();
  waiting.set(id, resolve);
  send(question(id));
  return promise;
}
/** What has to be there. */
function given<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("the parent has answered something else");
  return value;
}

using checkpointer = new SqliteCheckpointer(`${folder}/checkpoints.sqlite`);
using log = new SqliteRunLog(`${folder}/log.sqlite`, "run");
const answer = await reference.run({
  request,
  crew,
  clock: new RealClock(),
  signal: new AbortController().signal,
  model: { next: async (what) => given((await ask((id) => ({ id, who: "model", what }))).turn) },
  operator: {
    approve: async (what) => given((await ask((id) => ({ id, who: "operator", what }))).decision),
    takeOver: () => Promise.resolve(undefined),
  },
  ports: Object.entries(servers).map(([name, port]) => ({ name, connect: () => connect(port) })),
  emit: (event, span, detail) => {
    tell({ event, span, detail });
    Deno.stdin.readSync(new Uint8Array(1));
  },
  kept: { checkpointer, log, runId: "run", isResumed },
});
tell({ answer });
await people.close();
