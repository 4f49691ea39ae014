import * as sdk from "./sdk.ts";
import assert from "node:assert/strict";

// None of these is a symbol. What has lost its pin is `any`, which passes for one: then an error is missing that is
// expected here, and this file does not compile. (A type-level `IsAny<T>` would not find it: Deno's `any` is that of an
// import that could not be resolved, and every type computed from it passes for whatever is asked.)
function symbol(_value: symbol): void {}

Deno.test("sdk: every export has its types, and is there at run time", () => {
  // @ts-expect-error: the pin of Server
  symbol(sdk.Server);
  // @ts-expect-error: the pin of ListToolsRequestSchema
  symbol(sdk.ListToolsRequestSchema);
  // @ts-expect-error: the pin of CallToolRequestSchema
  symbol(sdk.CallToolRequestSchema);
  // @ts-expect-error: the pin of ErrorCode
  symbol(sdk.ErrorCode);
  // @ts-expect-error: the pin of McpError
  symbol(sdk.McpError);
  // @ts-expect-error: the pin of CallToolRequest
  const _request: sdk.CallToolRequest = 1;
  // @ts-expect-error: the pin of CallToolResult
  const _result: sdk.CallToolResult = 1;
  // @ts-expect-error: the pin of Tool
  const _tool: sdk.Tool = 1;
  assert.ok(Object.values(sdk).every((value) => value !== undefined));
});
