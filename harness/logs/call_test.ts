import assert from "node:assert/strict";
import { isEffectTool, readCall } from "./call.ts";

const toolOf = (name: string, args?: unknown) => {
  const { tool, server } = readCall({ name, args }, 0, undefined);
  return [tool, server];
};

Deno.test("readCall() looks through a dispatcher to the tool that was meant", () => {
  const inner = { server_name: "fs", tool_name: "write_file", params: { path: "/a.txt" } };
  assert.deepEqual(toolOf("execute-tool", inner), ["fs.write_file", "fs"]);
  assert.deepEqual(toolOf("execute-tool", JSON.stringify(inner)), ["fs.write_file", "fs"]);
  assert.deepEqual(toolOf("call", { tool: "search", arguments: {} }), ["search", undefined]);
  assert.deepEqual(toolOf("paint", { tool: "brush" }), ["paint", undefined]);
  const cut = JSON.stringify({ ...inner, params: { path: "/a.txt", content: "x".repeat(5000) } }).slice(0, 300);
  assert.deepEqual(toolOf("execute-tool", cut), ["fs.write_file", "fs"]);
  assert.ok(readCall({ name: "execute-tool", args: cut }, 0, undefined).values.includes("/a.txt"));
});

Deno.test("readCall() finds the server in a tool's name", () => {
  assert.deepEqual(toolOf("mcp__github__list_issues"), ["github.list_issues", "github"]);
  assert.deepEqual(toolOf("github.list_issues"), ["github.list_issues", "github"]);
  assert.deepEqual(toolOf("github/list_issues"), ["github.list_issues", "github"]);
  assert.deepEqual(toolOf("list_issues"), ["list_issues", undefined]);
  assert.deepEqual(toolOf("a", "{not JSON"), ["a", undefined]);
});

Deno.test("isEffectTool() goes by the first verb of a tool's name", () => {
  for (
    const tool of [
      "fs.write_file",
      "mail.send",
      "drawing_fillRectangle",
      "git_add",
      "createIssue",
      "excel.update_cells",
    ]
  ) {
    assert.ok(isEffectTool(tool), tool);
  }
  for (
    const tool of [
      "fs.read_file",
      "web_search",
      "getOrderUpdate",
      "write.list_drafts",
      "geocode_address",
      "weather",
      "find_open_shops",
    ]
  ) {
    assert.ok(!isEffectTool(tool), tool);
  }
});

Deno.test("readCall() takes a list of tools for no answer", () => {
  const list = "matched_tools:\n- server_name: fs\n  tool_name: write_file\n  inputschema:\n    path: (string)";
  assert.ok(readCall({ name: "route", args: {}, result: list }, 0, undefined).isDiscovery);
  assert.ok(readCall({ name: "search_tools", args: {}, result: "fs" }, 0, undefined).isDiscovery);
  assert.ok(!readCall({ name: "search", args: {}, result: "the tool_name column" }, 0, undefined).isDiscovery);
});
