import { strangerReason } from "./loopback_guard.ts";
import assert from "node:assert/strict";

const reason = (host: string | undefined, origin?: string) =>
  strangerReason(new Headers({ ...(host && { host }), ...(origin && { origin }) }), 8080);

Deno.test("strangerReason() lets this machine's own names pass, with this server's port", () => {
  for (const host of ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"]) {
    assert.equal(reason(host), undefined);
    assert.equal(reason(host, `http://${host}`), undefined);
  }
});

for (
  const host of [
    undefined,
    "evil.example.com",
    "evil.example.com:8080",
    "127.0.0.1",
    "127.0.0.1:80",
    "localhost.evil:8080",
  ]
) {
  Deno.test(`strangerReason() refuses the host ${host}`, () => assert.match(reason(host) ?? "", /^Host /));
}

for (
  const origin of [
    "http://evil.example.com",
    "http://127.0.0.1",
    "http://localhost:3000",
    "https://localhost:8080",
    "http://localhost:8080.evil",
    "null",
  ]
) {
  Deno.test(`strangerReason() refuses the origin ${origin}`, () => {
    assert.match(reason("localhost:8080", origin) ?? "", /^Origin /);
  });
}
