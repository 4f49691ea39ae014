/**
 * What a file of a program takes from other files of the same program: as far as it stands in so many words, as relative
 * imports of JavaScript and TypeScript do, and modules of Python that lie where a script looks for them. What is put together
 * while it runs, and what is installed, is not seen.
 */
import { dirname, extname, join, resolve } from "node:path/posix";

/** Endings that an import may leave out, or have in another form than the file. */
const SCRIPTS = [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json"] as const;

/** `from "./a"`, `import "./a"`, `import("./a")`, `require("./a")`. What only looks like one is a file more, and no harm. */
const RELATIVE = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?["'](\.{1,2}\/[^"'\n]+)["']/g;
/** `import a.b, c as d` */
const PY_IMPORT = /^[ \t]*import[ \t]+([\w., \t]+)/gm;
/** `from .a import b, c` and the same over several lines in brackets. */
const PY_FROM = /^[ \t]*from[ \t]+(?=[.\w])(\.*)(\w[\w.]*)?[ \t]+import[ \t]+(?:\(([^)]{0,9999})\)|([^\n(]*))/gm;

/**
 * Files that a file may import; those of them that are there are its imports.
 *
 * @param path The file.
 * @param text What is in it.
 * @param start Where a script of Python looks for modules: the folder of the script that was started.
 */
export function candidates(path: string, text: string, start: string): string[][] {
  if (extname(path) === ".py") return pythonModules(path, text, start);
  if (!SCRIPTS.some((one) => one === extname(path))) return [];
  return [...text.matchAll(RELATIVE)].map(([, relative = ""]) => {
    const whole = resolve(dirname(path), relative.replace(/[?#].*$/, ""));
    // TypeScript writes `./a.js` for `./a.ts`.
    const stem = whole.replace(/\.[cm]?jsx?$/, "");
    const named = [whole, stem].flatMap((one) => SCRIPTS.map((ending) => `${one}${ending}`));
    return [whole, ...named, ...SCRIPTS.map((ending) => join(whole, `index${ending}`))];
  });
}

/** Files that a module of Python may be. */
export function moduleFiles(folder: string, module: string): string[] {
  const path = join(folder, ...module.split("."));
  return [`${path}.py`, join(path, "__init__.py"), join(path, "__main__.py")];
}

function pythonModules(path: string, text: string, start: string): string[][] {
  const found: string[][] = [];
  // A package's own file runs before those in it.
  const add = (folder: string, module: string) => {
    const parts = module.split(".").filter((part) => part !== "");
    for (let n = 1; n <= parts.length; n++) found.push(moduleFiles(folder, parts.slice(0, n).join(".")));
  };
  for (const [, list = ""] of text.matchAll(PY_IMPORT)) {
    for (const one of list.split(",")) add(start, one.trim().split(/\s+/)[0] ?? "");
  }
  for (const [, dots = "", module = "", inBrackets, plain = ""] of text.matchAll(PY_FROM)) {
    // One dot is the file's own folder, each further one the folder above.
    const folder = dots === "" ? start : resolve(dirname(path), ...Array<string>(dots.length - 1).fill(".."));
    if (module !== "") add(folder, module);
    else found.push([join(folder, "__init__.py")]);
    // What is imported may be a module itself.
    const names = (inBrackets ?? plain).replace(/#.*$/gm, "").split(",").map((one) => one.trim().split(/\s+/)[0] ?? "");
    for (const name of names) {
      if (/^\w+$/.test(name)) found.push(moduleFiles(folder, [module, name].filter((part) => part !== "").join(".")));
    }
  }
  return found;
}
