import { ProxyUsageError } from "./options.ts";

/**
 * Begins to listen, or says why that cannot be.
 *
 * @throws {ProxyUsageError} If the port cannot be had.
 */
export function listening<T>(port: number, listen: () => T): T {
  try {
    return listen();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      throw new ProxyUsageError("no permission to listen: run deno with --allow-net=127.0.0.1");
    }
    if (error instanceof Deno.errors.AddrInUse) throw new ProxyUsageError(`port ${port} is taken`);
    if (error instanceof Deno.errors.PermissionDenied) throw new ProxyUsageError(`port ${port} is the system's`);
    throw error;
  }
}
