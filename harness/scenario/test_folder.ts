/** For tests: a folder of files that goes away, and a scenario to break. */
import assert from "node:assert/strict";
import { loadScenario } from "./load.ts";
import { formatProblem } from "./problem.ts";
import { resolveAll } from "./resolve.ts";
import type { Scenario } from "./schema.ts";

/** A scenario with nothing wrong in it. Tests rely on its lines. */
export const SOUND = `name: sound
story: Nothing goes wrong.
crew: support
request: What happened?
script:
  planner:
    - say: '{"tasks": [{"id": "look", "specialist": "billing", "objective": "Look."}]}'
  billing:
    - call: orders.find_order
      with: { order_id: "12345" }
    - final: Found.
faults:
  - { fault: latency, at: orders.find_order, ms: 500 }
expect:
  status: complete
`;

/** {@linkcode SOUND} with one text replaced by another. */
export function sound(from: string, to: string): string {
  assert.ok(SOUND.includes(from), `not in SOUND: ${from}`);
  return SOUND.replace(from, () => to);
}

/** A temporary folder with files in it. */
export class TestFolder implements AsyncDisposable {
  private constructor(readonly path: string) {}

  /** @param files Texts or bytes by relative path. */
  static async make(files: { readonly [path: string]: string | Uint8Array }): Promise<TestFolder> {
    const folder = new TestFolder(await Deno.realPath(await Deno.makeTempDir({ prefix: "brownout-" })));
    for (const [name, content] of Object.entries(files)) {
      const path = `${folder.path}/${name}`;
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      await Deno.writeFile(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
    }
    return folder;
  }

  /** Removes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

/** What is wrong with a scenario called `x.yaml`, one line a problem. Other files may lie beside it. */
export async function problemsOf(
  text: string | Uint8Array,
  beside: { readonly [path: string]: string } = {},
): Promise<string[]> {
  await using folder = await TestFolder.make({ "x.yaml": text, ...beside });
  const loaded = await loadScenario(`${folder.path}/x.yaml`, "x.yaml");
  const result = loaded.ok ? resolveAll(loaded.value) : loaded;
  return result.ok ? [] : result.problems.map(formatProblem);
}

/** A sound scenario and its variants, resolved. */
export async function resolved(
  text: string,
  beside: { readonly [path: string]: string } = {},
): Promise<readonly Scenario[]> {
  await using folder = await TestFolder.make({ "x.yaml": text, ...beside });
  const loaded = await loadScenario(`${folder.path}/x.yaml`, "x.yaml");
  const result = loaded.ok ? resolveAll(loaded.value) : loaded;
  if (!result.ok) assert.fail(result.problems.map(formatProblem).join("\n"));
  return result.value;
}
