/** Dates in results, known by their shape. */

const DATE = /^\d{4}-(0[1-9]|1[0-2])(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?)?$/;

/** Whether a value is a date such as `2026-11`, `2026-11-03` or `2026-11-03T10:00:00Z`. */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && DATE.test(value);
}

/** A date so many milliseconds later, as exact as it was; at least its last written part changes. */
export function shiftDate(date: string, ms: number): string {
  const shifted = new Date(Date.parse(date) + ms).toISOString();
  if (date.length > "2026-11-03".length) return date.includes(".") ? shifted : shifted.replace(/\.\d+Z$/, "Z");
  const made = shifted.slice(0, date.length);
  if (made !== date) return made;
  // Less than the date shows: the next one, or the one before.
  const step = (date.length > "2026-11".length ? 1 : 31) * 86_400_000;
  return new Date(Date.parse(date) + Math.sign(ms) * step).toISOString().slice(0, date.length);
}
