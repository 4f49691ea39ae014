import assert from "node:assert/strict";
import { Circuit } from "./circuit.ts";

Deno.test("Circuit opens after so many failures in a row, and a success begins the count anew", () => {
  const circuit = new Circuit({ failures: 2, coolDownMs: 100 });
  for (const result of ["failed", "ok", "failed", "unknown"] as const) circuit.admit(0)?.(result, 0);
  assert.equal(circuit.state(0), "closed");
  circuit.admit(5)?.("failed", 7);
  assert.deepEqual([circuit.state(7), circuit.admit(7)], ["open", undefined]);
});

Deno.test("Circuit lets one call through when it has cooled down, and that one decides", () => {
  const circuit = new Circuit({ failures: 1, coolDownMs: 100 });
  circuit.admit(0)?.("failed", 0);
  const first = circuit.admit(100);
  assert.deepEqual([circuit.state(100), circuit.admit(100)], ["half_open", undefined], "only one at a time");
  first?.("failed", 150);
  assert.deepEqual([circuit.state(249), circuit.state(250)], ["open", "half_open"]);
  // One that was called off decides nothing, and the next may try.
  circuit.admit(250)?.("unknown", 260);
  assert.equal(circuit.state(260), "half_open");
  circuit.admit(260)?.("ok", 270);
  assert.equal(circuit.state(270), "closed");
});

Deno.test("Circuit is closed by a call from before it opened that ends well, and not held open by one that fails", () => {
  const circuit = new Circuit({ failures: 1, coolDownMs: 100 });
  const [slow, slower, bad] = [circuit.admit(0), circuit.admit(0), circuit.admit(0)];
  bad?.("failed", 10);
  slower?.("failed", 90);
  assert.equal(circuit.state(110), "half_open");
  slow?.("ok", 95);
  assert.equal(circuit.state(96), "closed");
});
