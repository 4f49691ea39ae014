/** The `wire` lane: each server its own process, on the machine's clock, over stdio. */
import { ClosedError, RealClock } from "../../core/mod.ts";
import { FaultLink } from "../../servers/mod.ts";
import { FixturePool } from "./fixture_pool.ts";
import { FixtureError } from "./fixture_process.ts";
import type { Lane, World, WorldSpec } from "./lane.ts";
import { readLedger, type ServerLedger } from "./ledger.ts";
import type { ServerProcess } from "./server_process.ts";

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
  let ledgers: readonly ServerLedger[] = [];
  const giveBack = () => {
    over = true;
    for (const process of processes) pool.giveBack(process);
  };
  try {
    const failed = taken.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const clock = new RealClock();
    const links = processes.map((process) => {
      let isFirst = true;
      const connect = async () => {
        if (!isFirst) await process.ledger();
        isFirst = false;
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
      get ledgers() {
        return ledgers;
      },
      ports: links.map((link) => ({ name: link.server, connect: () => link.open() })),
      cut: () => links.forEach((link) => link.cut()),
      async run(main) {
        try {
          return await main();
        } finally {
          await Promise.all(links.map((link) => link.close()));
          over = true;
          ledgers = (await Promise.all(processes.map(ledgerOf))).flatMap((ledger) => ledger ?? []);
          giveBack();
        }
      },
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** The record of a process; `undefined` of one that is gone, or keeps none. */
async function ledgerOf(process: ServerProcess): Promise<ServerLedger | undefined> {
  try {
    return readLedger(process.fixture, await process.ledger());
  } catch (error) {
    if (error instanceof FixtureError) return undefined;
    throw error;
  }
}
