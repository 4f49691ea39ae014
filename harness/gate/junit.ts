/** A verdict as JUnit XML: a suite a crew, a test case a cell; files and thresholds are cases of a suite of their own. */
import { clip, oneLine } from "../../core/mod.ts";
import { type Node, xmlDocument } from "../report/xml.ts";
import { entriesOf, type Entry } from "./entries.ts";
import type { Verdict } from "./verdict.ts";

/** Most facts that are told of one case, and the longest of them. */
const MAX_FACTS = 50;
const MAX_LENGTH = 4000;

/** Renders a verdict as JUnit XML. Only a run that writes one loads this. */
export function gateJUnit(verdict: Verdict): string {
  const entries = entriesOf(verdict);
  return xmlDocument({
    testsuites: {
      "@name": "Brownout gate",
      ...countsOf(entries),
      testsuite: [...Map.groupBy(entries, ({ group }) => group)].map(([group, own]): Node => ({
        "@name": safe(group),
        ...countsOf(own),
        testcase: own.map(caseOf),
      })),
    },
  });
}

function countsOf(entries: readonly Entry[]): Node {
  const count = (one: Entry["outcome"]) => String(entries.filter(({ outcome }) => outcome === one).length);
  return {
    "@tests": String(entries.length),
    "@failures": count("fail"),
    "@errors": count("error"),
    "@skipped": "0",
  };
}

function caseOf({ group, name, outcome, facts, file, line }: Entry): Node {
  const head: Node = {
    "@classname": safe(group),
    "@name": safe(name),
    ...(file === undefined ? {} : { "@file": safe(file) }),
    ...(line === undefined ? {} : { "@line": String(line) }),
  };
  if (outcome === "pass") return head;
  const left = facts.length - MAX_FACTS;
  const text = [...facts.slice(0, MAX_FACTS).map(safe), ...(left > 0 ? [`… and ${left} more`] : [])].join("\n");
  const element = outcome === "fail" ? "failure" : "error";
  return { ...head, [element]: { "@message": safe(facts[0] ?? outcome), "@type": "gate", "#": text } };
}

/** A text on one line with nothing in it that XML 1.0 cannot hold (its controls, surrogates, U+FFFE and U+FFFF). */
const safe = (text: string): string => oneLine(clip(text, MAX_LENGTH)).replace(/[\ufffe\uffff]/g, "\ufffd");
