/** The report as JSON. */
import { passingBytes, prettyJson } from "../../core/mod.ts";
import type { CellReport, RunReport } from "./report.ts";

/** What JSON may carry as it is and a terminal would obey or hide: written as escapes, which mean the same. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Writes a report as JSON: sorted keys, two spaces, a newline at the end. The same report gives the same bytes.
 *
 * @example
 * ```ts
 * import { renderJson } from "./json.ts";
 * import { makeReport } from "./report.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(JSON.parse(renderJson(makeReport([]))).outcome, "error");
 * ```
 */
export function renderJson(report: RunReport): string {
  return [...jsonChunks(report)].join("");
}

/** {@linkcode renderJson}, cell by cell: the report of ten thousand cells is never in memory as a whole. */
export function* jsonChunks({ cells, ...rest }: RunReport): Generator<string> {
  // No other key sorts before it.
  yield '{\n  "cells": [';
  let between = "\n    ";
  for (const text of cells.texts?.() ?? textsOf(cells)) {
    yield between;
    yield text;
    between = ",\n    ";
  }
  yield `${cells.length === 0 ? "" : "\n  "}],\n${sortedJson(rest).slice(2)}`;
}

function* textsOf(cells: Iterable<CellReport>): Generator<string> {
  for (const cell of cells) yield cellJson(cell);
}

/** A cell as the report has it: JSON, with the lines after the first as far in as they stand there. */
export function cellJson(cell: CellReport): string {
  return escapeUnseen(prettyJson(cell, 2));
}

/** What {@linkcode renderJson} does, for whatever else JSON can carry. */
export function sortedJson(value: unknown): string {
  return `${escapeUnseen(prettyJson(value))}\n`;
}

/** Writes what a terminal would obey or hide as escapes of JSON, in a text that is JSON. */
export function escapeUnseen(json: string): string {
  return isPlain(json) ? json : json.replace(UNSEEN, escape);
}

/**
 * Whether a text is known to hold nothing of that, which is found out much faster than where it is: JSON escapes all other
 * controls of ASCII itself, and what takes one byte a unit is ASCII.
 */
function isPlain(json: string): boolean {
  return passingBytes(json).length === json.length && !json.includes("\x7f");
}

function escape(char: string): string {
  return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`)
    .join("");
}
