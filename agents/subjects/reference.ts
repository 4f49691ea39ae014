import { namesAlike } from "../crews/mod.ts";
import { Hub } from "../hub/mod.ts";
import { gated } from "../gate/mod.ts";
import { peers, refuseNames } from "../peer/mod.ts";
import { quiet } from "../observe.ts";
import { MemoryRunLog } from "../run_log.ts";
import { supervise } from "../supervisor/supervisor.ts";
import type { Subject } from "./subject.ts";

/** The official system under test: hub, planner, workers and supervisor as in this folder. */
export const reference: Subject = {
  name: "reference",
  summary: "The reference orchestrator.",
  async run({ request, crew, model, ports, clock, signal, pool, operator, user, topology, kept, ...world }) {
    const emit = quiet(world.emit);
    const alike = namesAlike(crew);
    if (alike.length > 0) {
      const answer = refuseNames(alike, clock.now());
      emit("answer", "run", { answer });
      return answer;
    }
    const options = { ports, clock, ...(pool === undefined ? {} : { pool }) };
    await using hub = await Hub.open(options, signal);
    for (const { name, state, tools, failure, problems } of hub.servers()) {
      emit("server", `run/servers/${name}`, { state, tools: [...tools], problems: [...problems], code: failure?.code });
    }
    const people = { ...(operator === undefined ? {} : { operator }), ...(user === undefined ? {} : { user }) };
    const run = kept === undefined ? { log: new MemoryRunLog() } : { log: kept.log, runId: kept.runId };
    const gate = gated(hub, { crew, clock, emit, ...run, ...people });
    const keeping = kept === undefined ? {} : { kept };
    const tools = { crew, model, hub: gate, clock, emit, signal, ...people, ...keeping };
    return topology === "peer" ? await peers(request, tools) : await supervise(request, tools);
  },
};
