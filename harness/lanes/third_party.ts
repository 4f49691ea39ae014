/**
 * Servers of other people that the wire lane runs unmodified, from npm. In `sim` the fixture of the same name plays each
 * of them. They are downloaded when they are started first, and never by a run that has no scenario for them.
 */
import * as z from "zod";

/** How a server is started on the data of a cell. */
export interface Launch {
  /** Its arguments. */
  readonly args: readonly string[];
  /** Variables that it gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server of somebody else. */
export interface ThirdParty {
  /** The package on npm, with its version. */
  readonly package: string;
  /**
   * The folder of a cell as its twin calls it. Each cell has a folder of its own, whose name differs each time: where it
   * begins a text of a request, or occurs in a reply, one name is put for the other. Nothing else of what passes is
   * touched.
   */
  readonly root: string;
  /**
   * Puts a cell's data where the server looks for it.
   *
   * @param folder The cell's own folder, empty: all that the server may read and write.
   * @param data The data of the twin.
   */
  prepare(folder: string, data: unknown): Launch;
}

const FilesystemData = z.object({ files: z.record(z.string(), z.string()) });
const MemoryData = z.object({
  entities: z.array(z.record(z.string(), z.json())),
  relations: z.array(z.record(z.string(), z.json())),
});

/** Each by the name of the fixture that plays it in `sim`. */
export const THIRD_PARTIES: ReadonlyMap<string, ThirdParty> = new Map([
  ["filesystem", {
    package: "@modelcontextprotocol/server-filesystem@2026.8.31",
    root: "/workspace",
    prepare(folder, data) {
      for (const [path, text] of Object.entries(FilesystemData.parse(data).files)) {
        const at = `${folder}/${path}`;
        Deno.mkdirSync(at.slice(0, at.lastIndexOf("/")), { recursive: true });
        Deno.writeTextFileSync(at, text);
      }
      return { args: [folder], env: {} };
    },
  }],
  ["memory", {
    package: "@modelcontextprotocol/server-memory@2026.8.31",
    root: "/workspace",
    prepare(folder, data) {
      const { entities, relations } = MemoryData.parse(data);
      const lines = [
        ...entities.map((entity) => ({ type: "entity", ...entity })),
        ...relations.map((relation) => ({ type: "relation", ...relation })),
      ];
      const file = `${folder}/memory.jsonl`;
      Deno.writeTextFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
      return { args: [], env: { MEMORY_FILE_PATH: file } };
    },
  }],
]);
