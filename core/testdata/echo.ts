/** A server on stdio: says back each line it is told, in capitals; "bye" closes it. */
import { stdioConnection } from "../stdio.ts";

const connection = stdioConnection();
connection.open({
  async bytes(chunk) {
    const text = new TextDecoder().decode(chunk);
    await connection.write(new TextEncoder().encode(text.toUpperCase()));
    if (text !== "bye\n") return;
    await connection.close();
    await connection.close();
    await Promise.resolve(connection.write(chunk)).catch((error) =>
      Deno.stderr.writeSync(new TextEncoder().encode(error.name))
    );
  },
  closed: () => void Deno.stderr.writeSync(new TextEncoder().encode(" closed")),
});
