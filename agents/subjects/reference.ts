import { Hub } from "../hub/mod.ts";
import { gated } from "../gate/mod.ts";
import { MemoryRunLog } from "../run_log.ts";
import { supervise } from "../supervisor/supervisor.ts";
import type { Subject } from "./subject.ts";

/** The official system under test: hub, planner, workers and supervisor as in this folder. */
export const reference: Subject = {
  name: "reference",
  summary: "The reference orchestrator.",
  async run({ request, crew, model, ports, clock, signal, emit, pool, operator, user, kept }) {
    const options = { ports, clock, ...(pool === undefined ? {} : { pool }) };
    await using hub = await Hub.open(options, signal);
    for (const { name, state, tools, failure, problems } of hub.servers()) {
      emit("server", `run/servers/${name}`, { state, tools: [...tools], problems: [...problems], code: failure?.code });
    }
    const people = { ...(operator === undefined ? {} : { operator }), ...(user === undefined ? {} : { user }) };
    const gate = gated(hub, { crew, clock, emit, log: kept?.log ?? new MemoryRunLog(), ...people });
    const keeping = kept === undefined ? {} : { kept };
    return await supervise(request, { crew, model, hub: gate, clock, emit, signal, ...people, ...keeping });
  },
};
