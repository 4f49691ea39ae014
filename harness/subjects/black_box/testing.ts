/** What the tests of this folder share: small programs as subjects, and what their runs come to. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Lane } from "../../lanes/lane.ts";
import { type ModelFlags, parseModelOptions } from "../../models/options.ts";
import { openRunModels } from "../../models/run_models.ts";
import type { ScriptedProvider } from "../../models/testing.ts";
import { renderJson } from "../../report/json.ts";
import { makeReport } from "../../report/report.ts";
import type { CellResult } from "../../runner/run.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { type CellOptions, cellSpec, runOne, scenarioNamed } from "../../testing/cells.ts";
import { canonicalTrace } from "../../trace/canonical.ts";
import { commandEntry } from "./entries.ts";

/** How long a subject of a test may take that is to end by itself, in milliseconds. */
const PATIENCE_MS = 100_000;

const DESK = scenarioNamed("healthy-desk");

/** A desk with one specialist, one server, and one thing to be found out. */
export const ONE_DESK: Scenario = {
  ...DESK,
  script: {
    planner: [{ say: '{"tasks": [{"id": "billing", "specialist": "billing", "objective": "Look at the order."}]}' }],
    billing: [
      { call: "orders.find_order", with: { order_id: "12345" } },
      { final: "Two charges of $129.00 on order 12345 (ORD-7731-KX)." },
    ],
  },
  expect: {
    ...{ status: "complete", failed: {}, substituted: {} },
    answer: { says: [{ from: "orders.find_order", value: "$129.00" }], never: [] },
  },
};

/**
 * Runs a scenario with a program as its subject, and scores it.
 *
 * @param command What stands behind `cmd:`.
 */
export async function runCommand(
  lane: Lane,
  command: string,
  { scenario = ONE_DESK, ...options }: CellOptions & { readonly scenario?: Scenario | string } = {},
): Promise<CellResult> {
  const subject = await commandEntry(command).load();
  return await runOne(cellSpec(scenario, { deadlineMs: PATIENCE_MS, ...options, subject, lane: "wire" }), lane);
}

/**
 * The same with the models that the flags name.
 *
 * @param command What stands behind `cmd:`.
 */
export async function runOnModels(
  lane: Lane,
  command: string,
  { scenario = ONE_DESK, flags, env = () => undefined }: {
    readonly scenario?: Scenario | string;
    readonly flags: ModelFlags;
    readonly env?: ScriptedProvider["env"];
  },
): Promise<CellResult> {
  const options = parseModelOptions(flags, "/tmp");
  assert.ok(options);
  const subject = await commandEntry(command).load();
  using models = await openRunModels([cellSpec(scenario, { subject, lane: "wire" })], options, { env });
  const [spec] = models.specs;
  assert.ok(spec);
  return await runOne(spec, lane);
}

/** The whole report but for numbers of events: who of several at once is first is nobody's word on the real clock. */
const reportOf = (result: CellResult) =>
  renderJson(makeReport([result])).replace(/"evidence": \[[^\]]*\]/g, "evidence");

/**
 * Records a run of a program on live models, and plays it again.
 *
 * @returns The recorded run, of which the replayed one differs in nothing, and how often the provider was asked in the
 * second.
 */
export async function recordedTwice(
  lane: Lane,
  command: string,
  { scenario, model, provider }: {
    readonly scenario: Scenario | string;
    readonly model: readonly string[];
    readonly provider: ScriptedProvider;
  },
): Promise<{ readonly recorded: CellResult; readonly askedAgain: number }> {
  const file = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    const recorded = await runOnModels(lane, command, { scenario, flags: { model, record: file }, env: provider.env });
    const asked = provider.events.length;
    const replayed = await runOnModels(lane, command, { scenario, flags: { model, replay: file } });
    assert.equal(canonicalTrace(replayed.trace), canonicalTrace(recorded.trace));
    assert.equal(reportOf(replayed), reportOf(recorded));
    return { recorded, askedAgain: provider.events.length - asked };
  } finally {
    await Deno.remove(file);
  }
}

/** The command of `testdata/one_agent.mjs`. */
export function oneAgent(options: { readonly [name: string]: string | boolean }): string {
  return `${testdata("one_agent.mjs")} '${JSON.stringify(options)}'`;
}

/** The command of a program in `testdata/`. */
export function testdata(file: string): string {
  const path = fileURLToPath(new URL(`./testdata/${file}`, import.meta.url));
  return `${Deno.execPath()} run --quiet --no-config -A ${path}`;
}

/** The command of a script for `/bin/sh`. */
export function shell(script: string): string {
  return `/bin/sh -c '${script.replaceAll("'", `'\\''`)}'`;
}

/** The outcome of a check, and its words. */
export function checkOf({ scorecard: { checks } }: CellResult, id: string): string {
  const found = checks.find((one) => one.id === id);
  return found === undefined ? "none" : `${found.outcome}: ${found.message}`;
}

/** What is not green, but for what a stranger cannot show. */
export function notGreen({ scorecard: { checks } }: CellResult): string[] {
  return checks.filter(({ outcome, declared }) => outcome !== "pass" && declared === undefined)
    .map(({ id, outcome, message }) => `${outcome} ${id}: ${message}`);
}
