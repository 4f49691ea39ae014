/**
 * Lints the documentation of the public face of each folder, with two of the linter's findings left out because they
 * cannot be mended here:
 *
 * - a public type that refers to a dependency's type: it is public, in its own package;
 * - a zod schema without a written-out type: the schema is the type, and writing it out would say everything twice.
 *
 * `deno run --allow-read=. --allow-run harness/tools/doc_lint.ts core/mod.ts …`
 */

/** One finding of `deno doc --lint`. */
export interface Finding {
  /** The linter's rule. */
  readonly rule: string;
  /** What it says, place and excerpt included. */
  readonly text: string;
  /** The first line of it. */
  readonly message: string;
}

/** Splits the linter's output into its findings. */
export function parseFindings(output: string): Finding[] {
  return output.split(/^(?=error\[)/m).flatMap((text) => {
    const [, rule, message] = /^error\[([\w-]+)\]: (.*)$/m.exec(text) ?? [];
    return rule === undefined || message === undefined ? [] : [{ rule, message, text: text.trimEnd() }];
  });
}

/**
 * Whether a finding has to be mended.
 *
 * @param own Whether a type of that name is declared in this project.
 */
export function matters({ rule, message, text }: Finding, own: (name: string) => boolean): boolean {
  if (rule === "private-type-ref") return own(/private type '([\w$.]+)'/.exec(message)?.[1] ?? "");
  if (rule === "missing-explicit-type") return !/=\s*(z|[A-Z]\w*)\s*\./.test(text) && !/=\s*z$/m.test(text);
  return true;
}

/** Every type that a source text declares. */
export function declaredTypes(source: string): string[] {
  return [...source.matchAll(/\b(?:interface|type|class|enum)\s+([A-Za-z_$][\w$]*)/g)].map(([, name]) => name ?? "");
}

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sources(path);
    else if (name.endsWith(".ts")) yield await Deno.readTextFile(path);
  }
}

async function main(entries: readonly string[]): Promise<number> {
  const { success, stderr, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--lint", ...entries],
    env: { NO_COLOR: "1" },
  }).output();
  const output = new TextDecoder().decode(stderr) + new TextDecoder().decode(stdout);
  const findings = parseFindings(output);
  const declared = new Set<string>();
  for (const folder of ["core", "agents", "servers", "harness"]) {
    for await (const source of sources(folder)) declaredTypes(source).forEach((name) => declared.add(name));
  }
  const kept = findings.filter((finding) => matters(finding, (name) => declared.has(name)));
  const write = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(text));
  for (const { text } of kept) write(`${text}\n\n`);
  // A linter that fails without a finding has not linted.
  if (!success && findings.length === 0) write(output);
  const good = kept.length === 0 && (success || findings.length > 0);
  write(good ? "documentation: every public symbol is documented\n" : `documentation: ${kept.length} findings\n`);
  return good ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
