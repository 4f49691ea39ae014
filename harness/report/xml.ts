/** XML of a tree of objects. Only what writes XML loads this. */
// Escapes texts and attributes; what XML cannot hold at all has to be taken out before.
import XMLBuilder from "npm:fast-xml-builder@1.3.2";

/** An element: members with `@` in front are attributes, `#` is its text, others are elements. */
export interface Node {
  readonly [name: string]: string | Node | readonly Node[];
}

/** Writes a document with this root. */
export function xmlDocument(root: Node): string {
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    textNodeName: "#",
    format: true,
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  });
  return builder.build({ "?xml": { "@version": "1.0", "@encoding": "UTF-8" }, ...root });
}
