/** The timeline of a cell: one row an agent, a bar on the cell's clock, and what happened on it. */
import type { CellResult } from "../runner/run.ts";
import type { Outcome } from "../score/check.ts";
import { cellId } from "../trace/event.ts";
import {
  count,
  draw,
  fit,
  flow,
  type Line,
  outcomeWord,
  pad,
  type Piece,
  type Screen,
  type Style,
  widest,
  wrap,
} from "./layout.ts";
import { shortId } from "./rows.ts";
import { aftermath } from "./aftermath.ts";
import { type MarkKind, readTracks, type Track, type Tracks } from "./tracks.ts";

/** Options of {@linkcode renderTimeline}. */
export interface TimelineOptions extends Screen {
  /**
   * How many agents get a row; those that failed come first.
   *
   * @default Infinity
   */
  readonly maxRows?: number;
}

/** What a mark looks like, what it means, and which wins where two fall together: the first. */
const MARKS: readonly (readonly [kind: MarkKind, sign: string, meaning: string, style: Style])[] = [
  ["failed", "✗", "call failed", "fail"],
  ["deadline", "┃", "deadline", "fail"],
  ["fault", "!", "fault", "untestable"],
  ["answered", "◆", "call ok", "pass"],
  ["turn", "•", "turn", "plain"],
];
const [THINKING, CALLING] = ["─", "═"];

/** Renders the timeline of a cell, heading included. */
export function renderTimeline(result: CellResult, options: TimelineOptions): string[] {
  return timelineLines(result, options).map((line) => draw(line, options));
}

/** {@linkcode renderTimeline} before it is drawn. */
export function timelineLines(
  { trace, scorecard: { outcome } }: CellResult,
  { columns, maxRows = Infinity }: Omit<TimelineOptions, "colour">,
): Line[] {
  const tracks = readTracks(trace);
  const { rows, left } = choose(tracks.tracks, maxRows);
  const layout = plan(rows, columns);
  return [
    ...heading(cellId(trace.cell), outcome, columns),
    ...wrap(trace.scenario.story, columns - 2).map((line): Line => [[`  ${line}`, "dim"]]),
    ...(rows.length === 0
      ? [["  No agent did anything."]]
      : [axis(tracks, layout), ...rows.map(drawRow(tracks, layout))]),
    ...(left === 0 ? [] : [[[`  … and ${count(left, "more agent")}, all ok`, "dim"]] as const]),
    ...legend(rows, columns),
    ...aftermath(trace, columns),
  ];
}

/** The outcome is never what is cut off. */
function heading(id: string, outcome: Outcome, columns: number): Line[] {
  const word = outcomeWord(outcome);
  return [[["Timeline  ", "bold"], fit(shortId(id), columns - 12 - word.length), "  ", [word, outcome]]];
}

/** Rows in the plan's order; where there are too many, the ones that went well are left out first. */
function choose(tracks: readonly Track[], maxRows: number): { rows: Track[]; left: number } {
  const keep = new Set([...tracks.filter((track) => !isFine(track)), ...tracks.filter(isFine)].slice(0, maxRows));
  return { rows: tracks.filter((track) => keep.has(track)), left: tracks.length - keep.size };
}

const isFine = ({ status, code }: Track): boolean => status === "ok" && code === undefined;

/** A column beside the bar. */
interface Column {
  readonly head: string;
  readonly cell: (track: Track) => readonly [text: string, style: Style];
}

const COLUMNS: readonly Column[] = [
  { head: "steps", cell: ({ steps }) => [String(steps), "plain"] },
  {
    head: "calls",
    cell: ({ calls }) => {
      if (calls === undefined) return ["-", "dim"];
      const { made, failed } = calls;
      return failed === 0 ? [String(made), "plain"] : [`${made}, ${failed} ✗`, "fail"];
    },
  },
  { head: "status", cell: (track) => [track.status, isFine(track) ? "pass" : "fail"] },
  { head: "code", cell: ({ code = "" }) => [code, "fail"] },
];

interface Layout {
  readonly label: number;
  readonly bar: number;
  readonly columns: readonly (readonly [column: Column, size: number])[];
}

/** Gives each column its width, and the bar the rest; on a narrow screen first the calls go, then the steps. */
function plan(rows: readonly Track[], columns: number): Layout {
  const label = Math.min(Math.max(7, widest(rows.map((row) => row.label), columns)), Math.floor(columns / 4));
  const sized = COLUMNS.map((column) => {
    const size = Math.max(column.head.length, widest(rows.map((row) => column.cell(row)[0]), columns));
    return [column, Math.min(18, size)] as const;
  }).filter(([{ head }]) => head !== "code" || rows.some(({ code }) => code !== undefined));
  for (const dropped of [[], ["calls"], ["calls", "steps"], ["calls", "steps", "status"]]) {
    const kept = sized.filter(([{ head }]) => !dropped.includes(head));
    const bar = columns - 2 - label - 2 - kept.reduce((sum, [, size]) => sum + 2 + size, 0);
    if (bar >= 8 || dropped.length === 3) return { label, bar: Math.max(4, bar), columns: kept };
  }
  return { label, bar: 4, columns: [] };
}

function axis({ unit, length }: Tracks, { label, bar, columns }: Layout): Line {
  const [from, to] = unit === "ms" ? ["0", `${round(length)} ms`] : ["all at 0 ms,", "in order"];
  const room = bar - 1;
  const scale = from.length + 1 + to.length > room
    ? pad(to, room, "right")
    : from + pad(to, room - from.length, "right");
  const heads = columns.map(([{ head }, size]) => `  ${pad(head, size)}`).join("");
  return [[`  ${" ".repeat(label)}  ${scale} ${heads}`, "dim"]];
}

const round = (ms: number): string => String(Math.round(ms * 10) / 10);

function drawRow({ length }: Tracks, { label, bar, columns }: Layout): (track: Track) => Line {
  // The last cell is kept for a deadline that falls together with the mark of what it ended.
  const at = (position: number) => Math.round(position / length * (bar - 2));
  return (track) => {
    const cells: (readonly [text: string, style: Style])[] = Array.from({ length: bar }, () => [" ", "plain"]);
    const fill = ({ from, to }: { from: number; to: number }, sign: string) => {
      for (let i = at(from); i <= at(to); i++) cells[i] = [sign, "dim"];
    };
    if (track.bar !== undefined) fill(track.bar, THINKING);
    for (const call of track.calling) fill(call, CALLING);
    const taken = new Set<number>();
    for (const [kind, sign, , style] of MARKS) {
      for (const mark of track.marks.filter((one) => one.kind === kind)) {
        const i = at(mark.at) + (kind === "deadline" && taken.has(at(mark.at)) ? 1 : 0);
        if (!taken.has(i)) cells[i] = [sign, style];
        taken.add(i);
      }
    }
    const facts = columns.flatMap(([{ cell }, size]): Piece[] => {
      const [text, style] = cell(track);
      return ["  ", [pad(text, size), style]];
    });
    return [`  ${pad(track.label, label)}  `, ...join(cells), ...facts];
  };
}

/** Neighbours of one style in one piece. */
function join(cells: readonly (readonly [text: string, style: Style])[]): Piece[] {
  const pieces: [text: string, style: Style][] = [];
  for (const [text, style] of cells) {
    const last = pieces.at(-1);
    if (last?.[1] === style) last[0] += text;
    else pieces.push([text, style]);
  }
  return pieces;
}

/** The signs that occur. */
function legend(rows: readonly Track[], columns: number): Line[] {
  const kinds = new Set(rows.flatMap(({ marks }) => marks.map(({ kind }) => kind)));
  const used = MARKS.filter(([kind]) => kinds.has(kind)).toReversed().map(([, sign, meaning]) => `${sign} ${meaning}`);
  const calling = rows.some(({ calling }) => calling.some(({ from, to }) => to > from));
  const parts = [...used, ...(calling ? [`${THINKING} model`, `${CALLING} tool`] : [])];
  return flow(parts, "   ", columns - 2).map((line): Line => [[`  ${line}`, "dim"]]);
}
