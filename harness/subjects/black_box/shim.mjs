// Joins its stdin and stdout to an MCP server that the bench runs: `BROWNOUT_DOOR=TOKEN node shim.mjs 127.0.0.1:PORT SERVER`.
// The token is no argument: those can be read by everybody on the machine. Plain Node without any package, because it
// runs wherever the subject does; Deno runs it, too.
import { connect } from "node:net";
import process from "node:process";

const [place = "", server = ""] = process.argv.slice(2);
const [host, port] = place.split(":");
const token = process.env.BROWNOUT_DOOR;
if (!token) {
  process.stderr.write(
    `${server} cannot be reached: BROWNOUT_DOOR is not set; start this command with the env of its entry in mcpServers\n`,
  );
  process.exit(1);
}
const socket = connect({ host, port: Number(port) }, () => {
  socket.write(`${token} ${server}\n`);
  process.stdin.pipe(socket);
});
socket.setNoDelay(true);
socket.pipe(process.stdout);
// The client has closed its end: the world is told, and says goodbye by closing its own.
process.stdin.on("end", () => socket.end());
process.stdout.on("error", () => process.exit(0));
socket.on("error", (error) => {
  process.stderr.write(`${server} cannot be reached: ${error.message}\n`);
  process.exit(1);
});
socket.on("close", () => process.exit(process.stdin.readableEnded ? 0 : 1));
