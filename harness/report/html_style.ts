/** The style of the HTML report. Its digest stands in the page's policy: no other style is obeyed. */
export const STYLE = `
:root { color-scheme: light dark; --line: #d0d7de; --dim: #57606a; --pass: #1a7f37; --fail: #cf222e; --error: #8250df; --untestable: #9a6700; }
@media (prefers-color-scheme: dark) {
  :root { --line: #30363d; --dim: #8b949e; --pass: #3fb950; --fail: #f85149; --error: #bc8cff; --untestable: #d29922; }
}
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; font-weight: normal; }
thead th { color: var(--dim); font-size: .85rem; white-space: nowrap; }
.sums td, .scores td:nth-of-type(2), .scores td:nth-of-type(3), .scores td:nth-of-type(4), .number { text-align: right; font-variant-numeric: tabular-nums; }
.sums thead th:not(:first-child) { text-align: right; }
.cells tbody tr:not(.more) > * { border-bottom: 0; }
.more td { padding-top: 0; color: var(--dim); font-size: .9rem; }
.more ul { margin: .3rem 0; }
.outcome { font-weight: 600; } .outcome.fail, .outcome.error, .outcome.untestable { text-transform: uppercase; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .error { color: var(--error); } .untestable { color: var(--untestable); }
summary { cursor: pointer; }
code, pre { font: .9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; border-left: 3px solid var(--line); padding-left: .8rem; }
`;
