/** What of a request its writer says, and not what is handed over in it: code, diffs, quotations. */

/** More of a request is not read, in UTF-16 units. */
const MAX_REQUEST = 20_000;

/** Stands where something was taken out: nothing is named in one breath across it. */
const GAP = "\n\u00b6\n";

const FENCED = /^[ \t]*(```|~~~)[^]*?(?:^[ \t]*\1|(?![^]))/gm;
/** Lines by which a diff is known, and what its lines begin with. */
const DIFF = /^(?:diff --git |@@ -\d|\+\+\+ )/m;
const DIFF_LINE = /^(?:diff |index |new file |deleted file |[-+@ \t]).*$/gm;
const CODE_LINE =
  /^.*[;{}][ \t]*$|^[ \t]*(?:import|export|def|class|const|let|var|function)[ \t].*[({=:;].*$|^[ \t]*(?:from[ \t]+\S+[ \t]+)?import[ \t]+[\w{*].*$|^[ \t]*>.*$/gm;
/** Quotations of three words or more: a name may stand in quotes. */
const QUOTED =
  /["\u201c\u201d\u201e\u00ab][^"\u201c\u201d\u00bb\n]*\s[^"\u201c\u201d\u00bb\n]*\s[^"\u201c\u201d\u00bb\n]*["\u201c\u201d\u00bb]/g;

/** The request without what is only handed over in it. */
export function askedText(request: string): string {
  const text = request.slice(0, MAX_REQUEST).replace(/\r\n?/g, "\n").replace(FENCED, GAP);
  const prose = DIFF.test(text) ? text.replace(DIFF_LINE, GAP) : text;
  return prose.replace(CODE_LINE, GAP).replace(QUOTED, GAP.trim());
}
