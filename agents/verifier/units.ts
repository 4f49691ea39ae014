/** Units that a number can carry, with what they measure, so that 24 hours are a day and a day is no mile. */

/** A unit: what it measures, and how many of that measure's base unit it is. */
export interface Unit {
  /** What it measures. Two units of different dimensions never agree. */
  readonly dimension: string;
  /** Base units in one of it (base: second, metre, gram, byte, dollar, …). */
  readonly factor: number;
  /** As it is named in reasons. */
  readonly name: string;
}

const TABLE: readonly (readonly [dimension: string, factor: number, names: string])[] = [
  ["USD", 1, "dollar dollars usd buck bucks"],
  ["USD", 0.01, "cent cents"],
  ["EUR", 1, "euro euros eur"],
  ["GBP", 1, "pound_sterling gbp"],
  ["percent", 1, "percent pct percentage"],
  ["duration", 0.001, "ms millisecond milliseconds"],
  ["duration", 1, "s sec secs second seconds"],
  ["duration", 60, "min mins minute minutes"],
  ["duration", 3600, "h hr hrs hour hours"],
  ["duration", 86_400, "day days"],
  ["duration", 604_800, "week weeks"],
  ["business days", 1, "business_day business_days working_day working_days weekday_days"],
  ["months", 1, "month months"],
  ["months", 12, "year years yr yrs"],
  ["length", 0.001, "mm millimetre millimetres millimeter millimeters"],
  ["length", 0.01, "cm centimetre centimetres centimeter centimeters"],
  ["length", 1, "metre metres meter meters"],
  ["length", 1000, "km kilometre kilometres kilometer kilometers"],
  ["length", 0.0254, "inch inches"],
  ["length", 0.3048, "foot feet ft"],
  ["length", 1609.344, "mile miles"],
  ["weight", 1, "g gram grams"],
  ["weight", 1000, "kg kilogram kilograms kilo kilos"],
  ["weight", 453.592, "lb lbs pounds"],
  ["weight", 28.3495, "oz ounce ounces"],
  ["bytes", 1, "byte bytes"],
  ["bytes", 1e3, "kb kilobyte kilobytes"],
  ["bytes", 1e6, "mb megabyte megabytes"],
  ["bytes", 1e9, "gb gigabyte gigabytes"],
  ["degrees C", 1, "celsius"],
  ["degrees F", 1, "fahrenheit"],
];

const UNITS: ReadonlyMap<string, Unit> = new Map(
  TABLE.flatMap(([dimension, factor, names]) =>
    names.split(" ").map((name): [string, Unit] => [name, { dimension, factor, name: name.replaceAll("_", " ") }])
  ),
);

const SYMBOLS: ReadonlyMap<string, string> = new Map([["$", "usd"], ["€", "eur"], ["£", "gbp"], ["%", "percent"]]);

/** The unit of a word (lower case; two words joined by `_`) or symbol, if it is one. */
export function unitOf(name: string): Unit | undefined {
  return UNITS.get(SYMBOLS.get(name) ?? name);
}
