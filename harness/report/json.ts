/** The report as JSON. */
import { canonicalJson } from "../../core/mod.ts";
import type { RunReport } from "./report.ts";

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
  let isFirst = true;
  for (const cell of cells) {
    yield `${isFirst ? "" : ","}\n    ${sortedJson(cell).trimEnd().replaceAll("\n", "\n    ")}`;
    isFirst = false;
  }
  yield `${isFirst ? "" : "\n  "}],\n${sortedJson(rest).slice(2)}`;
}

/** What {@linkcode renderJson} does, for whatever else JSON can carry. */
export function sortedJson(value: unknown): string {
  const sorted: unknown = JSON.parse(canonicalJson(value));
  return `${escapeUnseen(JSON.stringify(sorted, null, 2))}\n`;
}

/** Writes what a terminal would obey or hide as escapes of JSON, in a text that is JSON. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, escape);
}

function escape(char: string): string {
  return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`)
    .join("");
}
