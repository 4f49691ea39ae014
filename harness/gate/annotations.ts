/** A verdict as annotations of GitHub Actions: each at the file that it is about. */
import { annotation, MAX_ANNOTATIONS } from "../report/annotations.ts";
import { count } from "../report/layout.ts";
import { entriesOf } from "./entries.ts";
import type { Verdict } from "./verdict.ts";

/** Renders the worst, ten at most, and a notice that sums up. */
export function gateAnnotations(verdict: Verdict): string {
  const entries = entriesOf(verdict);
  const red = entries.filter(({ outcome }) => outcome !== "pass");
  const worst = [
    ...red.filter(({ outcome }) => outcome === "error"),
    ...red.filter(({ outcome }) => outcome === "fail"),
  ];
  const left = worst.length - MAX_ANNOTATIONS;
  return [
    ...worst.slice(0, MAX_ANNOTATIONS).map(({ name, facts: [fact = "", ...others], file, line, column }) => {
      const more = others.length === 0 ? "" : ` (and ${others.length} more of it)`;
      const place = file === undefined ? undefined : {
        file,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { col: column }),
      };
      return annotation("error", `gate: ${name}`, `${name}: ${fact}${more}`, place);
    }),
    annotation(
      "notice",
      "Brownout gate",
      red.length === 0
        ? `${count(verdict.results.length, "cell")}: all as the goldens, thresholds and expected failures say`
        : `${red.length} of ${entries.length} entries are not as they should be` +
          (left > 0 ? `; ${left} more are in the output` : ""),
    ),
  ].join("");
}
