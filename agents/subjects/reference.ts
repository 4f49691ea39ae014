import { Hub } from "../hub/mod.ts";
import { supervise } from "../supervisor/supervisor.ts";
import type { Subject } from "./subject.ts";

/** The official system under test: hub, planner, workers and supervisor as in this folder. */
export const reference: Subject = {
  name: "reference",
  summary: "The reference orchestrator.",
  async run({ request, crew, model, ports, clock, signal, emit, pool }) {
    const options = { ports, clock, ...(pool === undefined ? {} : { pool }) };
    await using hub = await Hub.open(options, signal);
    for (const { name, state, tools, failure, problems } of hub.servers()) {
      emit("server", `run/servers/${name}`, { state, tools: [...tools], problems: [...problems], code: failure?.code });
    }
    return await supervise(request, { crew, model, hub, clock, emit, signal });
  },
};
