/** Scenarios whose file has another name than they have. */
import { basename, relative } from "node:path/posix";
import type { Found } from "./find.ts";
import { type Problem, quote } from "./problem.ts";

/**
 * One problem for each scenario of the project that is not found under its name: goldens, reports and selectors name a
 * scenario, and whoever reads one looks for its file. Files elsewhere may be called as their owners like.
 *
 * @param root The project's folder of scenarios, absolute.
 */
export function misnamed(found: readonly Found[], root: string): Problem[] {
  return found.flatMap(({ path, name, result }) => {
    const own = basename(path).replace(/\.ya?ml$/, "");
    if (!result.ok || relative(root, path).startsWith("..") || own === name) return [];
    const message = `name ${quote(name)} is not that of its file; write "name: ${own}", or call the file ${name}.yaml`;
    return [result.value.source.problem(["name"], message)];
  });
}
