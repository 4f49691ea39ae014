/**
 * A server of lines that has what transparency is about: requests and notifications of its own, bytes that are no UTF-8,
 * spaces in its JSON, something on stderr, and an end of its own choosing.
 *
 *     deno run odd_server.ts [--stubborn]
 */
const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream()).getReader();
let rest = "";
async function line(): Promise<string | undefined> {
  for (;;) {
    const end = rest.indexOf("\n");
    if (end >= 0) {
      const text = rest.slice(0, end);
      rest = rest.slice(end + 1);
      return text;
    }
    const { value, done } = await lines.read();
    if (done) return undefined;
    rest += value;
  }
}
function write(bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
}
const say = (text: string) => write(new TextEncoder().encode(text));
const text = (id: unknown, words: string) =>
  say(
    `{"jsonrpc":"2.0",  "id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${
      JSON.stringify(words)
    }}]}}\n`,
  );

Deno.stderr.writeSync(new TextEncoder().encode("odd: ready\n"));
if (Deno.args.includes("--stubborn")) {
  Deno.addSignalListener("SIGTERM", () => {});
  setInterval(() => {}, 1000);
  say(`{"jsonrpc":"2.0","method":"notifications/pid","params":{"pid":${Deno.pid}}}\n`);
}
for (let asked = await line(); asked !== undefined; asked = await line()) {
  const { id, method, params } = JSON.parse(asked);
  if (method !== "tools/call") {
    if (id !== undefined) say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}\n`);
    continue;
  }
  switch (params.name) {
    case "ask":
      say('{"jsonrpc":"2.0","id":"s-1","method":"sampling/createMessage","params":{"é":"\\u00fc"}}\n');
      text(id, `the client said ${await line()}`);
      break;
    case "notify":
      say('{ "jsonrpc" : "2.0", "method" : "notifications/message", "params" : { "data" : "ü" } }\r\n\n');
      text(id, "told");
      break;
    case "garbage":
      write(new Uint8Array([0xff, 0xfe, 0x41, 10, 0xc3, 10]));
      text(id, "😀".repeat(20_000));
      break;
    case "env":
      text(id, Deno.env.get(params.arguments.name) ?? "not set");
      break;
    case "exit":
      text(id, "bye");
      Deno.exit(params.arguments.code);
      break;
    case "half":
      say('{"jsonrpc":"2.0","id":');
      Deno.exit(0);
  }
}
if (!Deno.args.includes("--stubborn")) say("no newline at the end");
