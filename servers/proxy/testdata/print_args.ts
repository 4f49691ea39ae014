/** Prints its arguments. */
Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(Deno.args)}\n`));
