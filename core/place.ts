/** Finds the line of code that did something, for messages that must name a place. */

const ROOT = new URL("../", import.meta.url).href;
/** Files that only pass a call on; the place that matters is their caller. */
const CARRIERS = ["cell", "child", "clock", "guard", "place", "virtual_clock", "watch"]
  .map((name) => `${ROOT}core/${name}.ts:`);

/** The absolute places of the current stack, innermost first, without the files that only pass calls on. */
export function callers(): string[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const stack = new Error().stack ?? "";
  Error.stackTraceLimit = limit;
  return frames(stack).filter((place) => !CARRIERS.some((file) => place.startsWith(file)));
}

/** The places in a stack as V8 writes it. */
function frames(stack: string): string[] {
  return stack.split("\n").slice(1)
    .map((line) => /((?:file|https?|npm|node|ext):\S+:\d+:\d+)\)?$/.exec(line.trim())?.[1])
    .filter((place) => place !== undefined);
}

/** Makes a place readable and the same on every machine: relative to the project, or to its package. */
export function relativePlace(place: string): string {
  if (place.startsWith(ROOT)) return place.slice(ROOT.length);
  const inPackage = /\/((?:@[^/]+\/)?[^/]+\/\d+\.\d+\.\d+[^/]*\/.*)$/.exec(place) ??
    /\/node_modules\/(.*)$/.exec(place);
  return inPackage?.[1] ?? place.replace(/^.*\/(?=[^/]+$)/, "");
}

/**
 * `file:line:column` of the innermost of these places that is in a file; if that is a package's, also of the line of
 * this project that led there. `undefined` if none is in a file.
 */
export function filePlaceOf(places: readonly string[]): string | undefined {
  const inner = places.find((place) => place.startsWith("file:"));
  if (inner === undefined) return undefined;
  const own = places.find((place) => place.startsWith(ROOT));
  if (own === undefined || own === inner) return relativePlace(inner);
  return `${relativePlace(inner)} (reached from ${relativePlace(own)})`;
}

/** {@linkcode filePlaceOf}, or the best that can be said instead. */
export function placeOf(places: readonly string[]): string {
  return filePlaceOf(places) ?? (places[0] === undefined ? "an unknown place" : relativePlace(places[0]));
}
