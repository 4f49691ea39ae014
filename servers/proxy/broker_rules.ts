/**
 * What a server may touch when nothing goes wrong, as the permission broker is told.
 *
 * Rules are words, separated by commas, as Deno's own `--allow-…` flags have them: `allow` (everything), `read=DIR`,
 * `write=DIR`, `net=HOST[:PORT]`, `env=NAME`, `sys`, `run=PROGRAM`, `ffi`, `import=HOST`. A permission without a value is
 * all of it; a rule that begins with `!` takes away, and has the last word. What no rule grants is denied.
 */
import { resolve } from "node:path/posix";
import { nearest } from "../../core/mod.ts";
import { z } from "zod";
import { type ProxyOptions, ProxyUsageError } from "./options.ts";
import { readYaml } from "./plan.ts";

/** Kinds of access, as Deno names them. */
export const ACCESSES = ["read", "write", "net", "env", "sys", "run", "ffi", "import"] as const;

/** One rule. */
export interface BrokerRule {
  /** `false` takes away. */
  readonly grants: boolean;
  /** A kind of access; `undefined` means every kind. */
  readonly access: string | undefined;
  /** To what; `undefined` means all of it. Of files an absolute path, which stands for what is below it too. */
  readonly value: string | undefined;
}

/** Why something is denied, or `undefined` if it may be. */
export type BrokerJudge = (access: string, value: string | undefined) => string | undefined;

const written = z.union([
  z.array(z.string()),
  z.strictObject({ rules: z.array(z.string()) }).transform(({ rules }) => rules),
]);

/**
 * Reads rules, or a file of them: a YAML or JSON list, one rule an item.
 *
 * @throws {ProxyUsageError} Saying which rule cannot be understood, and what is allowed.
 */
export async function loadBrokerRules(text: string, cwd: ProxyOptions["cwd"]): Promise<BrokerRule[]> {
  if (!/\.(ya?ml|json)$/.test(text) || text.includes("=")) return text.split(",").map((word) => parseRule(word, cwd));
  const file = resolve(cwd, text);
  const read = written.safeParse(await readYaml(file));
  if (!read.success) throw new ProxyUsageError(`${file}: a file of rules is a list of words such as "read=/data"`);
  return read.data.map((word) => parseRule(word, cwd));
}

function parseRule(word: string, cwd: string): BrokerRule {
  const [, bang, name = "", value] = /^(!?)([^=]*)(?:=(.+))?$/.exec(word.trim()) ?? [];
  const grants = bang !== "!";
  if (name === "allow" && value === undefined) return { grants, access: undefined, value };
  if (!ACCESSES.some((access) => access === name)) {
    const near = nearest(name, ["allow", ...ACCESSES]);
    throw new ProxyUsageError(
      `--broker: ${JSON.stringify(word)} is no rule${
        near === undefined ? "" : ` (did you mean "${near}"?)`
      }; there are ` +
        `allow, and ${ACCESSES.join(", ")}, each alone or as in read=/data, and ! before one to take away`,
    );
  }
  return { grants, access: name, value: value !== undefined && isFile(name) ? resolve(cwd, value) : value };
}

/** Makes a judge of rules. */
export function judgeBy(rules: readonly BrokerRule[], cwd: string): BrokerJudge {
  return (access, value) => {
    const about = rules.filter((rule) => covers(rule, access, value, cwd));
    if (about.some(({ grants }) => !grants)) return `--broker takes away ${access} of ${value ?? "everything"}`;
    return about.length > 0 ? undefined : `--broker does not grant ${access} of ${value ?? "everything"}`;
  };
}

function covers(rule: BrokerRule, access: string, value: string | undefined, cwd: string): boolean {
  if (rule.access === undefined) return true;
  if (rule.access !== access) return false;
  if (rule.value === undefined) return true;
  // Who asks for all of it is refused all of it by what takes a part away, and granted it by no part.
  if (value === undefined) return !rule.grants;
  if (isFile(access)) {
    const path = resolve(cwd, value);
    return path === rule.value || path.startsWith(rule.value.endsWith("/") ? rule.value : `${rule.value}/`);
  }
  if (access === "net" || access === "import") return value === rule.value || value.replace(/:\d+$/, "") === rule.value;
  return value === rule.value || (rule.value.endsWith("*") && value.startsWith(rule.value.slice(0, -1)));
}

function isFile(access: string): boolean {
  return access === "read" || access === "write";
}
