/** The `wire` lane: each server its own process, on the machine's clock, over stdio. */
import { ClosedError, RealClock } from "../../core/mod.ts";
import { FaultLink } from "../../servers/mod.ts";
import { FixturePool } from "./fixture_pool.ts";
import type { Lane, World, WorldSpec } from "./lane.ts";

/** Opens the lane. Its processes are leased to one cell after another, and ended with the lane. */
export function wireLane(): Lane {
  const pool = new FixturePool();
  return {
    name: "wire",
    open: (spec) => openWorld(spec, pool),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

async function openWorld(
  { servers, data, faults, seed, observer, signal }: WorldSpec,
  pool: FixturePool,
): Promise<World> {
  // Ready before the cell begins, so that no deadline of the cell pays for the start of a process.
  const taken = await Promise.allSettled(servers.map((server) => pool.take(server, data[server], signal)));
  const processes = taken.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  let over = false;
  const giveBack = () => {
    over = true;
    for (const process of processes) pool.giveBack(process);
  };
  try {
    const failed = taken.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const clock = new RealClock();
    const links = processes.map((process) => {
      const connect = () => {
        // A subject that has been cut off may still try; the process is somebody else's by now.
        if (over) throw new ClosedError("the cell is over");
        return process.lease();
      };
      const link = new FaultLink({ server: process.fixture, connect });
      link.bind({ faults, clock, seed, observer });
      return link;
    });
    return {
      clock,
      ports: links.map((link) => ({ name: link.server, connect: () => link.open() })),
      async run(main) {
        try {
          return await main();
        } finally {
          await Promise.all(links.map((link) => link.close()));
          giveBack();
        }
      },
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}
