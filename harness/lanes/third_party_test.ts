/** The servers of other people in the wire lane, and whether their twins are what they are. */
import assert from "node:assert/strict";
import { Hub } from "../../agents/hub/mod.ts";
import { childPids, type Json } from "../../core/mod.ts";
import { FIXTURES, type WorldEvent } from "../../servers/mod.ts";
import type { Lane, WorldSpec } from "./lane.ts";
import { simLane } from "./sim.ts";
import { THIRD_PARTIES } from "./third_party.ts";
import { wireLane } from "./wire.ts";

const WANTED = Deno.env.get("BROWNOUT_THIRD_PARTY") === "1";
const WHY_NOT = WANTED ? "" : " (not run: the packages come from npm; BROWNOUT_THIRD_PARTY=1 runs it)";

type Call = readonly [tool: string, args: { [key: string]: Json }];

const ann = { name: "Ann", entityType: "person", observations: ["writes"] };
const bob = { name: "Bob", entityType: "person", observations: [] };
const knows = { from: "Ann", to: "Bob", relationType: "knows" };

/** What is asked of each, one call after another. Every tool that its twin plays is among them. */
const TALKS: Readonly<Record<string, { data: unknown; calls: readonly Call[] }>> = {
  filesystem: {
    data: {
      files: {
        "plan.md": "# Plan\n\nShip in März.\n",
        "notes/risks.md": "late\n",
        "notes/deep/more.txt": "x",
        "notes/deep/big.md": "y".repeat(2000),
      },
    },
    calls: [
      ["read_text_file", { path: "plan.md" }],
      ["read_text_file", { path: "/workspace/notes/risks.md" }],
      ["read_text_file", { path: "plan.md", head: 1 }],
      ["read_text_file", { path: "plan.md", tail: 2 }],
      ["read_text_file", { path: "plan.md", head: 1, tail: 1 }],
      ["read_file", { path: "notes/deep/../risks.md", unknown: 1 }],
      ["read_text_file", { file: "plan.md" }],
      ["read_multiple_files", { paths: [] }],
      ["read_text_file", { path: "none.md" }],
      ["read_text_file", { path: "notes" }],
      ["read_text_file", { path: "/etc/hostname" }],
      ["read_text_file", { path: "../plan.md" }],
      ["read_multiple_files", { paths: ["plan.md", "none.md", "/etc/hostname"] }],
      ["list_directory_with_sizes", { path: "." }],
      ["list_directory_with_sizes", { path: "notes" }],
      // Where there are folders, too, it is their size on the disk that counts.
      ["list_directory_with_sizes", { path: "notes/deep", sortBy: "size" }],
      ["list_directory_with_sizes", { path: "none" }],
      ["list_directory_with_sizes", { path: "plan.md" }],
      ["search_files", { path: ".", pattern: "**/*.txt" }],
      ["search_files", { path: "notes", pattern: "r?sks*" }],
      ["search_files", { path: ".", pattern: "*.txt" }],
      ["search_files", { path: ".", pattern: "**/*.md", excludePatterns: ["notes/**"] }],
      ["search_files", { path: "none", pattern: "**" }],
      ["write_file", { path: "notes/new.md", content: "see /workspace/plan.md" }],
      ["read_text_file", { path: "notes/new.md" }],
      ["write_file", { path: "notes/new.md", content: "again" }],
      ["read_text_file", { path: "notes/new.md" }],
      ["write_file", { path: "none/new.md", content: "" }],
      ["list_allowed_directories", {}],
      ["nobody", {}],
    ],
  },
  memory: {
    data: { entities: [ann], relations: [] },
    calls: [
      ["read_graph", {}],
      ["create_entities", { entities: [ann, bob] }],
      ["create_entities", { entities: [bob, { name: "Cid", observations: [1] }] }],
      ["create_relations", { relations: [knows, { ...knows, to: "Cid" }] }],
      ["create_relations", { relations: [knows] }],
      ["add_observations", { observations: [{ entityName: "Ann", contents: ["reads", "writes"] }] }],
      [
        "add_observations",
        { observations: [{ entityName: "Bob", contents: ["x"] }, { entityName: "Dan", contents: [] }] },
      ],
      ["search_nodes", { query: "READS" }],
      ["search_nodes", { query: "nobody" }],
      ["open_nodes", { names: ["Bob", "constructor"] }],
      ["read_graph", {}],
      ["delete_observations", { deletions: [{ entityName: "Ann", observations: ["writes"] }] }],
      ["delete_relations", { relations: [{ ...knows, to: "Cid" }] }],
      ["delete_entities", { entityNames: ["Bob"] }],
      ["read_graph", {}],
      ["nobody", {}],
    ],
  },
};

const { signal } = new AbortController();

/** What a hub sees of a server in a lane: its tools, and what came of each call. */
async function seen(lane: Lane, server: string, more: Partial<WorldSpec> = {}) {
  const { data, calls } = TALKS[server] ?? { data: {}, calls: [] };
  const world = await lane.open({
    servers: [server],
    data: { [server]: data },
    faults: [],
    seed: "0",
    shuffle: false,
    observer: () => {},
    ...more,
  });
  return await world.run(async () => {
    await using hub = await Hub.open({ ports: world.ports, clock: world.clock });
    const outcomes: unknown[] = [];
    for (const [tool, args] of calls) {
      const outcome = await hub.call(`${server}.${tool}`, args, { allow: [server], signal, span: "run/x" });
      outcomes.push([tool, args, outcome]);
    }
    const tools = hub.specs([server]).map(({ name, inputSchema: { properties, required }, annotations }) => ({
      name,
      arguments: Object.keys(properties ?? {}).sort(),
      required: required ?? [],
      isReadOnly: annotations?.readOnlyHint ?? false,
    }));
    const [status] = hub.servers();
    return { outcomes, tools, listed: status?.tools, problems: status?.problems };
  });
}

for (const server of THIRD_PARTIES.keys()) {
  Deno.test(`the twin of ${server} is asked for each tool that it plays`, () => {
    const asked = new Set(TALKS[server]?.calls.map(([tool]) => tool));
    const played = [...FIXTURES.get(server)?.tools.values() ?? []].filter(({ description }) =>
      !description.startsWith("Not played")
    );
    assert.ok(played.length > 0);
    assert.deepEqual(played.map(({ name }) => name).filter((name) => !asked.has(name)), []);
  });

  Deno.test({
    name: `${server} and its twin list the same tools and answer the same${WHY_NOT}`,
    ignore: !WANTED,
    async fn() {
      await using sim = simLane();
      const twin = await seen(sim, server);
      await using wire = wireLane();
      const real = await seen(wire, server);
      // What the twin does not play has the real arguments, too, but may leave optional ones out.
      const plays = ({ name }: { name: string }) => TALKS[server]?.calls.some(([tool]) => `${server}.${tool}` === name);
      assert.deepEqual(real.tools.filter(plays), twin.tools.filter(plays));
      assert.deepEqual(
        real.tools.map(({ name, required }) => [name, required]),
        twin.tools.map((
          { name, required },
        ) => [name, required]),
      );
      assert.deepEqual([real.listed, real.problems], [twin.listed, twin.problems]);
      assert.deepEqual(real.outcomes, twin.outcomes);
    },
  });
}

Deno.test({
  name: `a server of somebody else is new in each cell, keeps a record, and leaves nothing behind${WHY_NOT}`,
  ignore: !WANTED,
  async fn() {
    const folders = () =>
      [...Deno.readDirSync("/tmp")].map(({ name }) => name).filter((name) => /^brownout-party-/.test(name));
    const before = folders();
    {
      await using lane = wireLane();
      const events: WorldEvent[] = [];
      const one = await seen(lane, "memory", { observer: (event) => events.push(event) });
      assert.deepEqual((await seen(lane, "memory")).outcomes, one.outcomes, "what the first cell stored is gone");
      assert.doesNotMatch(JSON.stringify(events), /\/tmp\//);
      const world = await lane.open({
        servers: ["memory"],
        data: { memory: { entities: [], relations: [] } },
        faults: [],
        seed: "0",
        shuffle: false,
        observer: () => {},
      });
      await world.run(async () => {
        await using hub = await Hub.open({ ports: world.ports, clock: world.clock });
        for (const tool of ["read_graph", "nobody"]) {
          await hub.call(`memory.${tool}`, {}, { allow: ["memory"], signal, span: "run/x" });
        }
      });
      assert.deepEqual(world.ledgers.map(({ server, total }) => [server, total]), [["memory", 1]]);
    }
    assert.deepEqual(childPids(), []);
    assert.deepEqual(folders().filter((name) => !before.includes(name)), []);
  },
});
