/** What a hub may still expect: messages that faults hold back, and answers that servers owe. */
export class Debts {
  #held = 0;
  #owed = 0;
  #waiting: { readonly isPaid: () => boolean; readonly resolve: () => void }[] = [];

  /** A fault begins to hold a message back. */
  hold(): void {
    this.#held++;
  }

  /** It has let it go, or has dropped it. Whoever waits is told in a later microtask, when it has been sent. */
  letGo(): void {
    this.#held--;
    this.#check();
  }

  /** A server has been asked. */
  owe(): void {
    this.#owed++;
  }

  /** It has answered so many questions, or will answer them no more. */
  pay(count: number): void {
    this.#owed -= count;
    this.#check();
  }

  /** Resolves when no fault holds anything back. Never, while one holds something for ever. */
  flushed(): Promise<void> {
    return this.#when(() => this.#held === 0);
  }

  /** Resolves when no fault holds anything back, and no server owes an answer. */
  settled(): Promise<void> {
    return this.#when(() => this.#held === 0 && this.#owed === 0);
  }

  async #when(isPaid: () => boolean): Promise<void> {
    while (!isPaid()) await new Promise<void>((resolve) => this.#waiting.push({ isPaid, resolve }));
  }

  #check(): void {
    if (this.#waiting.length === 0) return;
    const paid = this.#waiting.filter(({ isPaid }) => isPaid());
    this.#waiting = this.#waiting.filter((one) => !paid.includes(one));
    for (const { resolve } of paid) resolve();
  }
}

/** Counts what a fault holds back. No promise of its own: a message must not take a turn longer for being counted. */
export function held<T>(asked: Promise<T>, debts: Debts): Promise<T> {
  debts.hold();
  asked.then(() => debts.letGo(), () => debts.letGo());
  return asked;
}
