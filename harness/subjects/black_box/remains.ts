/** What is still running of a cell: by the group of its leader, and by the cell's mark in a process's environment. */
import process from "node:process";

/** The files that have the mark, on Linux; nothing elsewhere. */
const MARKED = `[ -d /proc/self ] && exec grep -l -s -a -F "$1" /proc/[0-9]*/environ; true`;

/** The id, the group and the state of every process. */
const ALL = `
if [ -r /proc/self/stat ]; then
  cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\\([0-9]*\\) (.*) \\([A-Za-z]\\) [0-9]* \\([0-9]*\\) .*/\\1 \\3 \\2/'
else
  ps -eo pid=,pgid=,stat=
fi`;

/** How often it is looked, in milliseconds. */
const LOOK_MS = 10;
/** For how long a group that is there may be waited for before it is looked who is in it, in milliseconds. */
const SOON_MS = 100;
/** How long what is left may take to end, in milliseconds, before it is killed. */
const PATIENCE_MS = 1000;

/**
 * Gives what a leader has left behind a second to end by itself, and kills what is there then: also what has left its
 * group, where the system shows environments (Linux).
 *
 * @param leader Its process id, which is the id of its group.
 * @param mark What only the environments of this cell's processes have.
 * @returns How many processes were killed.
 */
export async function endRemains(leader: number, mark: string): Promise<number> {
  const start = performance.now();
  for (;;) {
    const elapsed = performance.now() - start;
    const isThere = groupExists(leader);
    // Nearly always they are about to end; who they are is only looked at if they are not.
    if (!isThere || elapsed >= SOON_MS) {
      const there = new Set([...isThere ? await alive(leader) : [], ...await marked(mark)]);
      if (there.size === 0) return 0;
      if (elapsed >= PATIENCE_MS) {
        for (const pid of there) killNow(pid);
        return there.size;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, isThere && elapsed < SOON_MS ? LOOK_MS : SOON_MS));
  }
}

/** Whether anybody is in a group, be it a zombie: that is gone, but nobody has asked yet how it ended. */
function groupExists(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

/** Who of a group is alive. */
async function alive(leader: number): Promise<number[]> {
  return (await shellLines(ALL)).flatMap((line) => {
    const [pid, group, state = "Z"] = line.trim().split(/\s+/);
    return Number(group) === leader && !/^[ZX]/.test(state) ? [Number(pid)] : [];
  });
}

/** Who has the mark. */
async function marked(mark: string): Promise<number[]> {
  return (await shellLines(MARKED, `BROWNOUT_CELL=${mark}`)).flatMap((line) => {
    const pid = /^\/proc\/(\d+)\/environ$/.exec(line)?.[1];
    return pid === undefined ? [] : [Number(pid)];
  });
}

/** What a shell script writes, a line each; the last is empty. It sees nothing of this process's environment. */
export async function shellLines(script: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await new Deno.Command("/bin/sh", {
    args: ["-c", script, "sh", ...args],
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin" },
    stdin: "null",
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout).split("\n");
}

/** Kills a process, if it is still there. */
export function killNow(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended in between.
  }
}
