/** What a server still owes: requests that it has been given and has not answered. */
import type { Debts } from "./debts.ts";
import type { RpcId } from "./jsonrpc.ts";

/** The requests of one connection, each a debt of the cell that it is in. */
export class OwedReplies {
  readonly #ids = new Set<unknown>();

  /** @param debts Those of the cell that the connection is in now. */
  constructor(private readonly debts: () => Debts) {}

  /** The server is given a request; one that it has already is owed once. */
  owe(id: RpcId): void {
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    this.debts().owe();
  }

  /** The server has answered, or need not any more. */
  paid(id: unknown): void {
    if (this.#ids.delete(id)) this.debts().pay(1);
  }

  /** Nothing is owed any more. */
  forgive(): void {
    const { size } = this.#ids;
    this.#ids.clear();
    if (size > 0) this.debts().pay(size);
  }
}
