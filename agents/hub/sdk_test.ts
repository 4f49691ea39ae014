import { AjvJsonSchemaValidator, Client, ErrorCode, type JSONRPCMessage, McpError, type Transport } from "./sdk.ts";

/** Only `any` takes in both. */
type IsAny<T> = 0 extends (1 & T) ? true : false;
const typed = <_No extends false>() => {};

Deno.test("sdk.ts has types: this does not compile if one of them has become any", () => {
  typed<IsAny<Client>>();
  typed<IsAny<InstanceType<typeof Client>["request"]>>();
  typed<IsAny<McpError>>();
  typed<IsAny<McpError["code"]>>();
  typed<IsAny<typeof ErrorCode.ConnectionClosed>>();
  typed<IsAny<JSONRPCMessage>>();
  typed<IsAny<Transport>>();
  typed<IsAny<AjvJsonSchemaValidator>>();
  // @ts-expect-error A client is no number.
  const _client: number = new Client({ name: "x", version: "1" });
  // @ts-expect-error Nor is an error.
  const _error: number = new McpError(1, "x");
});
