/** Who is alive, by `ps`: for tests of what must not be left behind. */

/** A process. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All processes that are alive; zombies are not. */
export function processes(): Process[] {
  const { stdout } = new Deno.Command("ps", { args: ["-eo", "pid=,ppid=,stat=,args="] }).outputSync();
  return new TextDecoder().decode(stdout).split("\n").flatMap((line) => {
    const [, pid, parent, state, command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s*(.*)$/.exec(line) ?? [];
    return state === undefined || state.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** All that descend from a process. */
export function descendants(pid: number): Process[] {
  const all = processes();
  const found: Process[] = [];
  for (const parents = [pid]; parents.length > 0;) {
    const parent = parents.pop();
    const children = all.filter((one) => one.parent === parent);
    found.push(...children);
    parents.push(...children.map((one) => one.pid));
  }
  return found;
}

/** Whether a process is alive. */
export function isAlive(pid: number): boolean {
  return processes().some((one) => one.pid === pid);
}

/**
 * Waits for an event that nobody announces. The limit only ends a test that would hang.
 *
 * @throws {Error} If it has not come about after a minute.
 */
export async function eventually(what: string, test: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!test()) {
    if (performance.now() > end) throw new Error(`never came about: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
