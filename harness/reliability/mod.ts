/** What shows only over many cells. A row a cell, so that no trace has to be kept; figures are pure functions of rows. */
export { type Fate, type FaultedPart, faultedParts, type Persistence, type Visibility } from "./parts.ts";
export {
  type PassK,
  type Rate,
  type Recovery,
  type Reliability,
  reliabilityOf,
  type ReliabilityOptions,
  type Spread,
} from "./reliability.ts";
export { type CellRow, cellRow } from "./row.ts";
export { lostToFaults, type Twin, wireOverhead } from "./twin.ts";
export { type Interval, wilson } from "./wilson.ts";
