/** `bench faults`: what can go wrong on purpose. */
import { parse } from "yaml";
import { z } from "zod";
import { nearest } from "../../core/text.ts";
import type { Fault, FaultEntry, Layer } from "../../servers/faults/fault.ts";
import { FAULTS } from "../../servers/faults/registry.ts";
import { BROKER_FAULTS } from "../../servers/proxy/broker_faults.ts";
import { formatFaultSpec, formatValue, takesServer } from "../../servers/proxy/fault_spec.ts";
import { EXIT, UsageError } from "./exit.ts";
import type { CliIo } from "./io.ts";
import { wrap } from "./wrap.ts";

const ALL: ReadonlyMap<string, Fault> = new Map([
  ...FAULTS,
  ...BROKER_FAULTS.map((fault) => [fault.id, fault] as const),
]);

/** A parameter as `faults --json` shows it. */
interface ListedParam {
  readonly name: string;
  /** What it means, with its unit. */
  readonly description: string;
  readonly default: unknown;
  /** What is allowed, as a person would say it. */
  readonly allowed: string;
}

/** A fault as `faults --json` shows it. */
interface Listed {
  readonly id: string;
  readonly layer: Layer;
  readonly visibility: Fault["visibility"];
  /** Whether trying again can get past it, without a schedule. */
  readonly persistence: ReturnType<Fault["persistence"]>;
  readonly summary: string;
  /** What a correct orchestrator does. */
  readonly correct: string;
  /** What a correct hub makes of a call that it has struck. */
  readonly outcome: Fault["outcome"];
  /** What it can be at. */
  readonly applies: Fault["applies"];
  /** What must be there for it to find something to do. */
  readonly needs?: Fault["needs"];
  /** `true`, or why it cannot be had in this lane. */
  readonly lanes: Fault["lanes"];
  readonly params: readonly ListedParam[];
  /** A line of a scenario's `faults`. */
  readonly example: string;
  /** The same for `bench proxy --fault`; not there for faults of the model. */
  readonly proxy?: string;
}

/** See {@linkcode CommandModule}. */
export function execute([id]: readonly (string | undefined)[], flags: { json?: true }, io: CliIo): Promise<number> {
  const chosen = id === undefined ? [...ALL.values()] : [ALL.get(id) ?? refuse(id)];
  const listed = chosen.map(entry);
  const width = Math.min(io.columns, 100);
  if (flags.json) io.out(`${JSON.stringify(listed, null, 2)}\n`);
  else io.out(id === undefined ? screen(listed, width) : listed.map((one) => page(one, width)).join("\n"));
  return Promise.resolve(EXIT.good);
}

function refuse(id: string): never {
  const near = nearest(id, ALL.keys());
  throw new UsageError(
    `unknown fault ${JSON.stringify(id)}${
      near === undefined ? "" : ` (did you mean "${near}"?)`
    }; bench faults lists them`,
  );
}

function entry(fault: Fault): Listed {
  const { id, layer, visibility, summary, correct, outcome, applies, needs, lanes, example } = fault;
  return {
    id,
    layer,
    visibility,
    persistence: fault.persistence(),
    summary,
    correct,
    outcome,
    applies,
    ...(needs === undefined ? {} : { needs }),
    lanes,
    params: paramsOf(fault),
    example,
    ...(takesServer(fault) ? { proxy: formatFaultSpec(firstOf(fault)) } : {}),
  };
}

const property = z.looseObject({
  description: z.string().default(""),
  enum: z.array(z.unknown()).optional(),
  type: z.string().optional(),
});
const schemaOf = z.looseObject({ properties: z.record(z.string(), property) });

function paramsOf({ id, applies, entry }: Fault): ListedParam[] {
  const defaults: Readonly<Record<string, unknown>> = entry.parse({
    fault: id,
    at: applies.every((place) => place === "agent") ? "agent:any" : "any",
  });
  const { properties } = schemaOf.parse(z.toJSONSchema(entry, { io: "input", unrepresentable: "any" }));
  return Object.entries(properties).filter(([name]) => !["fault", "at", "when"].includes(name)).map((
    [name, shape],
  ) => ({
    name,
    description: shape.description,
    default: defaults[name],
    allowed: shape.enum?.map(formatValue).join(", ") ?? shape.type ?? "number, or text such as 500ms, 2s",
  }));
}

/** The example as an entry. */
function firstOf({ entry, example }: Fault): FaultEntry {
  const [raw] = z.array(z.looseObject({ fault: z.string(), at: z.string() })).parse(parse(example));
  // What it leaves out is not filled in with defaults, or with what durations come to.
  const { when, ...rest } = raw ?? { fault: "", at: "" };
  const schedule = entry.parse(raw).when;
  return { ...rest, ...(when === undefined || schedule === undefined ? {} : { when: schedule }) };
}

function screen(listed: readonly Listed[], width: number): string {
  const column = Math.max(...listed.map(({ id }) => id.length));
  const groups = [...Map.groupBy(listed, ({ layer }) => layer)].map(([layer, faults]) =>
    [
      `${layer.replaceAll("_", " ")} (${faults.length})`,
      ...faults.flatMap(({ id, visibility, persistence, summary }) =>
        wrap(summary, width, `  ${id.padEnd(column)} ${visibility[0]}${persistence[0]}  `)
      ),
    ].join("\n")
  );
  const legend =
    `${listed.length} faults. e: explicit, the caller is told; i: implicit. t: transient, trying again can ` +
    "get past it; p: permanent, unless a schedule says otherwise. bench faults <id> explains one.";
  return `${[...groups, wrap(legend, width).join("\n")].join("\n\n")}\n`;
}

function page(listed: Listed, width: number): string {
  const {
    id,
    layer,
    visibility,
    persistence,
    summary,
    correct,
    outcome,
    applies,
    needs,
    lanes,
    params,
    example,
    proxy,
  } = listed;
  const line = (head: string, text: string) => wrap(text, width, `${head.padEnd(10)} `);
  const list = (head: string, items: readonly string[]) => items.flatMap((text, i) => line(i === 0 ? head : "", text));
  const absent = Object.entries(lanes).flatMap(([lane, support]) => support === true ? [] : [`${lane}: ${support}`]);
  return [
    `${id}  (${layer.replaceAll("_", " ")}, ${visibility}, ${persistence} without a schedule)`,
    "",
    ...line("what", summary),
    ...line("correct", correct),
    ...line("outcome", outcome === "ok" ? "ok: the call looks like a good one" : outcome),
    ...line("at", applies.map((place) => PLACES[place]).join(", ")),
    ...(needs === undefined ? [] : line("needs", needs.replaceAll("_", " "))),
    ...list("lanes", absent),
    ...list(
      "parameters",
      params.length === 0
        ? ["none"]
        : params.map(({ name, description, default: fallback, allowed }) =>
          `${name} = ${formatValue(fallback)}${allowed === "" ? "" : ` (${allowed})`}: ${description}`
        ),
    ),
    ...line("scenario", example),
    ...(proxy === undefined ? [] : line("proxy", `bench proxy ${needsBroker(id)}--fault '${proxy}' -- COMMAND`)),
    "",
  ].join("\n");
}

const PLACES = { server: "server", tool: "server.tool", agent: "agent:name" } as const;

function needsBroker(id: string): string {
  return BROKER_FAULTS.some((fault) => fault.id === id) ? "--broker allow " : "";
}
