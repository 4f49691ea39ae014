import * as sdk from "./sdk.ts";
import * as http from "./sdk_http.ts";
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
  // @ts-expect-error: the pin of McpServer
  symbol(http.McpServer);
  // @ts-expect-error: the pin of ResourceTemplate
  symbol(http.ResourceTemplate);
  // @ts-expect-error: the pin of completable
  symbol(http.completable);
  // @ts-expect-error: the pin of WebStandardStreamableHTTPServerTransport
  symbol(http.WebStandardStreamableHTTPServerTransport);
  // @ts-expect-error: the pin of SubscribeRequestSchema
  symbol(http.SubscribeRequestSchema);
  // @ts-expect-error: the pin of UnsubscribeRequestSchema
  symbol(http.UnsubscribeRequestSchema);
  // @ts-expect-error: the pin of EventStore
  const _store: http.EventStore = 1;
  // @ts-expect-error: the pin of JSONRPCMessage
  const _message: http.JSONRPCMessage = 1;
  assert.ok([...Object.values(sdk), ...Object.values(http)].every((value) => value !== undefined));
});
