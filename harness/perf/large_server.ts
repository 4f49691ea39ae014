/**
 * A server of lines whose replies are made beforehand: what is measured around it is the way, not the server.
 *
 *     deno run large_server.ts [characters]
 */
const text = "x".repeat(Number(Deno.args[0] ?? 2));
const tail = new TextEncoder().encode(`,"result":{"content":[{"type":"text","text":"${text}"}]}}\n`);
const decoder = new TextDecoder();
let rest = "";
for await (const chunk of Deno.stdin.readable) {
  rest += decoder.decode(chunk, { stream: true });
  for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
    const { id } = JSON.parse(rest.slice(0, end));
    rest = rest.slice(end + 1);
    const head = new TextEncoder().encode(`{"jsonrpc":"2.0","id":${JSON.stringify(id)}`);
    const reply = new Uint8Array(head.length + tail.length);
    reply.set(head);
    reply.set(tail, head.length);
    for (let done = 0; done < reply.length;) done += Deno.stdout.writeSync(reply.subarray(done));
  }
}
