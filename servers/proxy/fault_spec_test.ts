import { parse } from "yaml";
import { FAULTS } from "../faults/registry.ts";
import type { FaultEntry } from "../faults/fault.ts";
import { BROKER_FAULTS } from "./broker_faults.ts";
import { formatFaultSpec, parseFaultSpec, takesServer } from "./fault_spec.ts";
import assert from "node:assert/strict";

const CATALOGUE = new Map([...FAULTS, ...BROKER_FAULTS.map((fault) => [fault.id, fault] as const)]);
const entry = (spec: string) => parseFaultSpec(spec, "server", CATALOGUE);

for (
  const [spec, wanted] of [
    ["black_hole:search", { fault: "black_hole", at: "server.search" }],
    ["latency,ms=2s", { fault: "latency", at: "server", ms: 2000 }],
    ["latency:a:b.c,ms=1.5", { fault: "latency", at: "server.a:b.c", ms: 1.5 }],
    ["stale:get_quote,age=90d", { at: "server.get_quote", age: 7_776_000_000 }],
    ["tool_error:search,first=2,message=no", { message: "no", when: { first: 2 } }],
    ['tool_error,message="no, \\"never\\", and = [so on"', { message: 'no, "never", and = [so on' }],
    ["tool_error,message=5", { message: "5" }],
    ["tool_error,message=a=b", { message: "a=b" }],
    ["tool_error,calls=2", { when: { calls: [2] } }],
    ["tool_error,calls=[1,3],until=1h", { when: { calls: [1, 3], until: 3_600_000 } }],
    ["tool_error,burst=2/5", { when: { burst: { length: 2, every: 5 } } }],
    ["tool_error,probability=0.5,seed=7", { when: { probability: 0.5, seed: 7 } }],
    ["tool_error,when.first=1", { when: { first: 1 } }],
    ["crash,restarts=true", { restarts: true }],
    ["broker_deny:write_file,access=write", { fault: "broker_deny", access: "write" }],
  ] as const
) {
  Deno.test(`parseFaultSpec() reads ${spec}`, () => assert.partialDeepStrictEqual(entry(spec), wanted));
}

for (
  const [spec, why] of [
    ["", /unknown fault ""/],
    ["balck_hole", /unknown fault "balck_hole" \(did you mean "black_hole"\?\); bench faults lists them/],
    [
      "stale,agee=1",
      /stale has no parameter "agee" \(did you mean "age"\?\): it has the parameters age, field, and the sch/,
    ],
    ["stale,age=soon", /age: a duration is/],
    ["crash,moment=never", /moment: .*on_request/],
    ["crash,__proto__=1", /crash has no parameter "__proto__"/],
    ["crash,fault=x", /crash has no parameter "fault"/],
    ["tool_error,first=0", /when\.first: /],
    ["tool_error,first=1,first=2", /first is given twice/],
    ["tool_error,message=a,message=b", /message is given twice/],
    ["tool_error,seed=1", /a seed without a probability/],
    ["tool_error,oops", /"oops" is not key=value/],
    ["server_down:search", /server_down is at the whole server: leave out ":search"/],
    ["tool_error:", /no tool after the colon/],
    [modelFault(), /is a fault of the model; a proxy has those of servers/],
  ] as const
) {
  Deno.test(`parseFaultSpec() refuses ${JSON.stringify(spec)}, and says why in one line`, () =>
    assert.throws(() => entry(spec), (error: Error) => {
      assert.equal(error.name, "ProxyUsageError");
      assert.match(error.message, why);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    }));
}

Deno.test("formatFaultSpec() writes every example of the catalogue so that it is read again as the same", () => {
  for (const fault of CATALOGUE.values()) {
    if (!takesServer(fault)) continue;
    const [raw]: FaultEntry[] = parse(fault.example);
    const parsed = fault.entry.parse(raw);
    const server = parsed.at.split(".")[0] ?? "";
    assert.deepEqual(parseFaultSpec(formatFaultSpec(parsed), server, CATALOGUE), parsed, fault.id);
  }
});

function modelFault(): string {
  for (const fault of FAULTS.values()) if (!takesServer(fault)) return fault.id;
  throw new Error("there is no fault of the model");
}
