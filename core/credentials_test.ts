import assert from "node:assert/strict";
import { withoutCredentials, withoutSecretsOfErrors } from "./credentials.ts";

const DSN = 'pg://desk:"Tr0ub4dor"@10.0.0.7/?key=a/b+c==';

for (
  const [what, text, clean] of [
    ["the key of a provider", "bad key sk-abcdefghijklmnop1234", "bad key [redacted]"],
    ["a password in a URL", `connect to ${DSN.split("?")[0]}`, "connect to pg://desk:[redacted]@10.0.0.7/"],
    ["a password with an @ in it", "redis://a:b@c@host:1/2", "redis://a:[redacted]@host:1/2"],
    ["a token in place of a user", "https://abcdefgh1234@git.example/x", "https://[redacted]@git.example/x"],
    ["a private key that is cut off", "key: -----BEGIN RSA PRIVATE KEY-----\nMIIE", "key: [redacted]"],
  ] as const
) {
  Deno.test(`withoutCredentials() takes out ${what}`, () => assert.equal(withoutCredentials(text), clean));
}

for (
  const [what, text, clean] of [
    [
      "what a name calls secret",
      'token: "abcd1234", DB_PASSWORD=kestrel',
      'token: "[redacted]", DB_PASSWORD=[redacted]',
    ],
    ["what a sentence calls a password", "the password is kestrel-4417", "the password is [redacted]"],
    ["a parameter of a URL", "GET /x?key=a/b+c== failed", "GET /x?key=[redacted] failed"],
    ["a login in a header", "Authorization: Basic ZGVzazpwdw==", "Authorization: Basic [redacted]"],
    ["base64", `tried ${btoa(DSN)}`, "tried [redacted]"],
    ["percent-encoding", `tried (${encodeURIComponent(DSN)})`, "tried ([redacted])"],
    ["JSON in JSON", JSON.stringify({ dsn: DSN }), '{"dsn":"pg://desk:[redacted]@10.0.0.7/?key=[redacted]"}'],
    ["a key in hexadecimal", "0123456789abcdef0123456789abcdef was refused", "[redacted] was refused"],
  ] as const
) {
  Deno.test(`withoutSecretsOfErrors() takes out ${what}`, () => assert.equal(withoutSecretsOfErrors(text), clean));
}

Deno.test("withoutSecretsOfErrors() leaves what errors say", () => {
  for (
    const text of [
      "policy.check_policy: policy-db connection refused (2 of 2 calls failed)",
      "no answer within 3000 ms",
      "HTTP 503 from http://localhost:8080/search?query=duplicate&limit=20",
      "Unexpected token } in JSON at position 12; 4000 tokens: 3000 read, 1000 written",
      "orders.find_order: order 12345 (ORD-7731-KX) of R. Okafor was not found",
      "the result is not what orders.find_order_with_a_very_long_name promises: /total must be number",
      "basic authentication is required",
      "mail to a@example.com failed, see https://example.com/help@desk",
    ]
  ) assert.equal(withoutSecretsOfErrors(text), text);
});
