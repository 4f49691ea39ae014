/**
 * Takes credentials out of a text whose secrets nobody has told us: by their shapes, and by where they stand.
 */
import { SHAPES } from "./redact.ts";

/** What stands where a credential was. It is no `Redactor`'s marker: it says that the secret was never let out. */
const REDACTED = "[redacted]";

/** A password in a URL, whatever the scheme (RFC 3986, section 3.2.1): the user's name stays. */
const URL_PASSWORD = /(\/\/[^\s:@/]*:)[^\s/]+@/g;
/** A URL's user without a password may be a token. */
const URL_TOKEN = /(\/\/)[^\s:@/]{8,}@/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/** A value that a name says is secret, as in `password=…`, `"api_key": "…"` or `?key=…`. */
const NAMED =
  /((?:[\w-]*(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|credential)|[?&](?:key|sig|auth))\\?["']?\s*(?:=|:|\bis\b)\s*\\?["']?)([^\s"'\\&,;(){}[\]]{4,})/gi;
const BASIC = /\b(basic\s+)(?=\S*[\d=])[\w+/=-]{8,}/gi;
/** What is long, and has small and capital letters and digits without a break, is no word. */
const OPAQUE = /(?<![\w+%])(?=[\w+=-]*[a-z])(?=[\w+=-]*[A-Z])(?=[\w+=-]*\d)[A-Za-z0-9_+=-]{20,}/g;
const HEX = /\b(?=[0-9a-f]*\d)[0-9a-f]{32,}\b/gi;
/** Three bytes or more in percent-encoding: who looks for a secret does not see it. */
const ENCODED = /[^\s"'(){}[\],;]*(?:%[0-9a-f]{2}[^\s"'(){}[\],;%]*){3,}/gi;

/**
 * The text without what has the shape of a credential: keys of known providers, private keys, passwords in URLs.
 *
 * @example
 * ```ts
 * import { withoutCredentials } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(withoutCredentials("postgres://svc:kestrel@db/main"), "postgres://svc:[redacted]@db/main");
 * assert.equal(withoutCredentials("order 12345 (ORD-7731-KX)"), "order 12345 (ORD-7731-KX)");
 * ```
 */
export function withoutCredentials(text: string): string {
  let clean = text.replace(PRIVATE_KEY, REDACTED);
  for (const [, shape] of SHAPES) clean = clean.replace(shape, REDACTED);
  return clean.replace(URL_PASSWORD, `$1${REDACTED}@`).replace(URL_TOKEN, `$1${REDACTED}@`);
}

/**
 * An error's text for people outside: without credentials, without values that a name calls secret, and without anything
 * long that is no word. An error says what went wrong without them, and what it quotes was never meant for its reader. A
 * secret that looks like a word, and that nothing near it calls one, cannot be told from a word.
 *
 * @example
 * ```ts
 * import { withoutSecretsOfErrors } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(withoutSecretsOfErrors("login failed, password=kestrel"), "login failed, password=[redacted]");
 * assert.equal(withoutSecretsOfErrors("policy-db connection refused"), "policy-db connection refused");
 * ```
 */
export function withoutSecretsOfErrors(text: string): string {
  return withoutCredentials(text)
    .replace(NAMED, `$1${REDACTED}`)
    .replace(BASIC, `$1${REDACTED}`)
    .replace(ENCODED, REDACTED)
    .replace(OPAQUE, REDACTED)
    .replace(HEX, REDACTED);
}
