/** Arguments that nobody can change any more. */
import type { Json } from "../../core/mod.ts";

/** A deep copy of arguments, frozen all through: what is sent is what was reviewed. */
export function sealed(args: { readonly [key: string]: Json }): { [key: string]: Json } {
  const copy: { [key: string]: Json } = structuredClone(args);
  freeze(copy);
  return copy;
}

function freeze(value: Json): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}
