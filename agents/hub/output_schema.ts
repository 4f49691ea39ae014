/** Checks structured content against what its tool has promised. */
import { AjvJsonSchemaValidator } from "./sdk.ts";

/** Says what is wrong with a value, or nothing. */
export type Check = (value: unknown) => string | undefined;

/** The longest schema that is compiled, in characters: compiling is work that a server makes us do. */
const MAX_LENGTH = 200_000;
/** How many compiled schemas are kept, of all servers together. */
const MAX_KEPT = 256;

// Making one costs more than everything else in a session. It keeps every schema that it has compiled.
let validator = new AjvJsonSchemaValidator();
const kept = new Map<string, Check>();

/**
 * Compiles a schema, or finds one that was compiled before: the same tools are listed again and again.
 *
 * A pattern that takes for ever on a value that its own server sends is not defended against.
 *
 * @throws {Error} If it cannot be compiled.
 */
export function checkOf(schema: { readonly [key: string]: unknown }): Check {
  const text = JSON.stringify(schema);
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (text.length > MAX_LENGTH) throw new Error(`it is longer than ${MAX_LENGTH} characters`);
  if (kept.size >= MAX_KEPT) {
    kept.clear();
    validator = new AjvJsonSchemaValidator();
  }
  // Names would be known to the schemas of all servers: one could change what another's refers to.
  const hasNames = /"\$(?:id|anchor|dynamicAnchor)"/.test(text);
  const validate = (hasNames ? new AjvJsonSchemaValidator() : validator).getValidator(schema);
  const check: Check = (value) => {
    const { valid, errorMessage } = validate(value);
    return valid ? undefined : errorMessage ?? "it does not fit";
  };
  kept.set(text, check);
  return check;
}
