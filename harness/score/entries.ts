/**
 * A record's members in the order of their keys: a trace that went through a file has its keys sorted, and its scorecard
 * must be the same.
 */
export function sortedEntries<T>(record: Readonly<Record<string, T>>): [key: string, value: T][] {
  return Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1);
}
