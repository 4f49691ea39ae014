/** For tests: a small project in a temporary folder, and what gate and golden say of it. */
import { reference, type Subject } from "../../agents/mod.ts";
import { join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import type { CliIo } from "../cli/io.ts";
import { TestFolder } from "../scenario/test_folder.ts";
import { executeGate, type GateOptions } from "./gate.ts";
import { type GatePlace, placeIn } from "./place.ts";
import { executeGolden } from "./update.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** Scenarios of the small project: two with one cell, and one with variants. */
const SCENARIOS = ["broken-policy-server", "planner-names-a-poet", "planner-in-a-fence"];

/** Subjects as the gate is given them, by name. */
export function subjectsOf(...subjects: readonly Subject[]): GateOptions["subjects"] {
  return new Map(subjects.map((subject) => [subject.name, { load: () => Promise.resolve(subject) }]));
}

/** What came of a command. */
export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A project with scenarios, thresholds and no goldens. */
export class GateFolder implements AsyncDisposable {
  readonly place: GatePlace;

  private constructor(private readonly folder: TestFolder) {
    this.place = placeIn(folder.path);
  }

  static async make(): Promise<GateFolder> {
    const names = ["_world.yaml", ...SCENARIOS.map((name) => `${name}.yaml`)];
    const files = names.map(async (name) =>
      [`scenarios/support/${name}`, await Deno.readTextFile(`${PROJECT}scenarios/support/${name}`)] as const
    );
    return new GateFolder(
      await TestFolder.make({
        ...Object.fromEntries(await Promise.all(files)),
        "reports/thresholds.yaml": "thresholds:\n  - { count: cells.fail, max: 0 }\n",
      }),
    );
  }

  /** A file's text. */
  read(name: string): Promise<string> {
    return Deno.readTextFile(join(this.folder.path, name));
  }

  /** Writes a file. */
  async write(name: string, text: string): Promise<void> {
    const path = join(this.folder.path, name);
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
  }

  /** Replaces a text that must be there. */
  async edit(name: string, from: string, to: string): Promise<void> {
    const text = await this.read(name);
    if (!text.includes(from)) throw new Error(`not in ${name}: ${from}`);
    await this.write(name, text.replace(from, () => to));
  }

  /** Removes a file. */
  async remove(name: string): Promise<void> {
    await Deno.remove(join(this.folder.path, name));
  }

  /** All goldens and their table, by path, as one text. */
  async goldens(): Promise<string> {
    const paths: string[] = [];
    for await (const { name } of Deno.readDir(join(this.place.goldens, "support"))) paths.push(`support/${name}`);
    const texts = [...paths.sort(), "README.md"].map(async (path) =>
      `${path}\n${await Deno.readTextFile(join(this.place.goldens, path))}`
    );
    return (await Promise.all(texts)).join("\0");
  }

  /** `gate`. */
  gate(options: Partial<GateOptions> = {}, env: Readonly<Record<string, string>> = {}): Promise<Told> {
    return told((io) => executeGate({ ...this.#options(), ...options }, io), env);
  }

  /** `golden`. */
  golden(options: Partial<GateOptions> = {}, env: Readonly<Record<string, string>> = {}): Promise<Told> {
    return told((io) => executeGolden({ ...this.#options(), ...options }, io), env);
  }

  #options(): GateOptions {
    return {
      selectors: [],
      jobs: 2,
      json: false,
      place: this.place,
      subjects: subjectsOf(reference),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.folder[Symbol.asyncDispose]();
  }
}

async function told(
  run: (io: CliIo) => Promise<number>,
  env: Readonly<Record<string, string>> = {},
): Promise<Told> {
  let [out, err] = ["", ""];
  const code = await run({
    out: (text) => out += text,
    err: (text) => err += text,
    isTerminal: false,
    columns: 80,
    cwd: "/",
    env: (name) => Object.hasOwn(env, name) ? env[name] : undefined,
    signal: new AbortController().signal,
  });
  return { code, out, err };
}
