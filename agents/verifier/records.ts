/** An observation's text as named values, where it has some, and the rest as prose. */

/** One named value. */
export interface Cell {
  /** Number of its record in this text, from 0. */
  readonly record: number;
  /** Names from the outside in, joined by dots; list positions left out. */
  readonly path: string;
  /** As text. */
  readonly value: string;
  /** As it was in JSON, or as text. */
  readonly raw: string | number | boolean | null;
}

/** A text, read. */
export interface Records {
  readonly cells: readonly Cell[];
  /** How many records there are. */
  readonly records: number;
  /** What is no named value. */
  readonly prose: string;
  /** UTF-16 units that were read. */
  readonly spent: number;
  /** Whether some were left. */
  readonly cut: boolean;
}

/** Levels of JSON that are entered. */
const MAX_DEPTH = 64;

/** Reads JSON, `key: value` lines, `key is value; …` rows, or prose; at most `budget` units and `most` cells. */
export function readRecords(text: string, budget: number, most: number): Records {
  const cut = text.length > budget;
  const read = cut ? text.slice(0, Math.max(0, budget)) : text;
  const json = cut ? undefined : parseJson(read);
  const found = json === undefined ? readLines(read, most) : readJson(json.value, most);
  return { ...found, spent: read.length, cut: cut || found.cut };
}

function parseJson(text: string): { value: unknown } | undefined {
  const first = text.trimStart().charAt(0);
  if (first !== "{" && first !== "[") return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

type Found = Omit<Records, "spent">;

/** Walks JSON without recursion. Each object in a list is a record; what is outside of lists is record 0. */
function readJson(value: unknown, most: number): Found {
  const cells: Cell[] = [];
  const loose: string[] = [];
  let [records, cut] = [1, false];
  const stack: { value: unknown; path: string; record: number; depth: number }[] = [
    { value, path: "", record: 0, depth: 0 },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (cells.length >= most || top.depth > MAX_DEPTH) {
      cut = true;
      continue;
    }
    const { value, path, record, depth } = top;
    if (typeof value === "object" && value !== null) {
      const list = Array.isArray(value);
      const entries = Object.entries(value);
      if (entries.length > most) cut = true;
      const children = entries.slice(0, most).map(([key, child]) => {
        const own = list && typeof child === "object" && child !== null && !Array.isArray(child);
        return {
          value: child,
          path: list ? path : path === "" ? key : `${path.slice(-200)}.${key.slice(0, 200)}`,
          record: own ? records++ : record,
          depth: depth + 1,
        };
      });
      stack.push(...children.reverse());
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null) {
      if (path === "") loose.push(String(value));
      else cells.push({ record, path, value: String(value), raw: value });
    }
  }
  return { cells, records, prose: loose.join("\n"), cut };
}

/** `key: value`, `key is value; key is value`; other lines are prose. */
function readLines(text: string, most: number): Found {
  const cells: Cell[] = [];
  const prose: string[] = [];
  let [records, cut] = [1, false];
  for (const line of text.split("\n")) {
    if (cells.length >= most) cut = true;
    const row = readRow(line);
    const pair = row.length > 0 ? undefined : readPair(line);
    if (row.length > 0 && !cut) {
      cells.push(...row.map(([path, value]) => ({ record: records, path, value, raw: value })));
      records += 1;
    } else if (pair !== undefined && !cut) {
      cells.push({ record: 0, path: pair[0], value: pair[1], raw: pair[1] });
    } else {
      prose.push(line);
    }
  }
  return { cells, records, prose: prose.join("\n"), cut };
}

/** A line `key: value` with a key of at most eight words without punctuation. */
function readPair(line: string): [string, string] | undefined {
  const colon = line.slice(0, 80).indexOf(":");
  if (colon < 1) return undefined;
  const key = line.slice(0, colon).trim();
  if (!/^[\p{L}\p{N}_ .-]+$/u.test(key) || key.split(" ").length > 8 || line.charAt(colon + 1) === "/") {
    return undefined;
  }
  const value = line.slice(colon + 1);
  return value === "" || value.startsWith(" ") || value.startsWith("\t") ? [key, value.trim()] : undefined;
}

/** A line of two or more parts `key is value`, divided by semicolons. */
function readRow(line: string): [string, string][] {
  if (!line.includes("; ")) return [];
  const parts = line.split("; ").map((part): [string, string] => {
    const at = part.indexOf(" is ");
    return at < 0 ? ["", ""] : [part.slice(0, at).trim(), part.slice(at + 4).trim()];
  });
  return parts.length >= 2 && parts.every(([key]) => key.length > 0 && key.length <= 120 || key === "") &&
      parts.filter(([key]) => key !== "").length * 4 >= parts.length * 3
    ? parts.filter(([key]) => key !== "")
    : [];
}
