/**
 * What a bench that was killed (`kill -9`) could not clean up: its subjects' processes and their temporary folders. Both
 * bear the bench's name, so that the next bench can tell whether it is still alive. Linux alone; nothing is done elsewhere.
 */
import { killNow, shellLines } from "./remains.ts";

/** Where temporary folders are. */
const TEMPORARY = "/tmp";
/** What the names of subjects' folders begin with. */
const PREFIX = "brownout-subject-";

/** A bench's process: its id, when it was started (a pid is given again), and the namespace in which the id means it. */
const OWNER = String.raw`(?<pid>\d+)\.(?<start>\d+)\.(?<space>\d+)`;
const MARK = new RegExp(`^${OWNER}\\.[0-9a-f-]{36}$`);
const FOLDER = new RegExp(`^${PREFIX}${OWNER}-[0-9a-z]+$`);

/** The name of the process `$1`; nothing if there is none, or it has ended and nobody has asked how. */
const NAME = `
[ -r "/proc/$1/stat" ] || exit 0
stat=$(sed 's/.*) //' "/proc/$1/stat")
case $stat in [ZX]*) exit 0 ;; esac
start=$(echo "$stat" | cut -d ' ' -f 20)
space=$(readlink /proc/self/ns/pid | tr -dc 0-9)
[ -n "$start" ] && [ -n "$space" ] && echo "$1.$start.$space"`;

/** Every process that has a mark: its id and the mark. The parent of this shell, which is the bench, comes first. */
const MARKED = `
[ -d /proc/self ] || exit 0
for file in "/proc/$PPID/environ" $(grep -l -s -a -F BROWNOUT_CELL= /proc/[0-9]*/environ); do
  mark=$(tr '\\0\\n' '\\n ' 2>/dev/null < "$file" | sed -n 's/^BROWNOUT_CELL=//p' | head -n 1)
  pid=\${file#/proc/}
  echo "\${pid%/environ} $mark"
done`;

let own: Promise<string> | undefined;

/** The name of this bench; `bench` where the system does not tell. */
export function benchName(): Promise<string> {
  own ??= nameOf(Deno.pid).then((name) => name ?? "bench");
  return own;
}

/** What marks the processes of a cell of this bench. */
export async function newMark(): Promise<string> {
  return `${await benchName()}.${crypto.randomUUID()}`;
}

/** Makes the temporary folder of a subject of this bench. */
export async function newFolder(): Promise<string> {
  return await Deno.makeTempDir({ dir: TEMPORARY, prefix: `${PREFIX}${await benchName()}-` });
}

/** What was cleaned up. */
export interface Cleaned {
  /** How many processes were killed. */
  readonly processes: number;
  /** How many folders were removed. */
  readonly folders: number;
}

/**
 * Kills the processes and removes the folders of benches that are dead. Whatever has no mark or name of a bench in this
 * namespace is left alone, and so is what belongs to whoever started this bench.
 */
export async function cleanAfterDeadBenches(): Promise<Cleaned> {
  const nobody = { processes: 0, folders: 0 };
  const { space } = new RegExp(`^${OWNER}$`).exec(await benchName())?.groups ?? {};
  if (space === undefined) return nobody;
  const isDead = async (form: RegExp, text: string) => {
    const { pid, start, space: where } = form.exec(text)?.groups ?? {};
    if (where !== space) return false;
    return await nameOf(Number(pid)) !== `${pid}.${start}.${space}`;
  };
  let { processes, folders } = nobody;
  const [mine, ...marked] = (await shellLines(MARKED)).map((line) => line.split(" "));
  for (const [pid, mark = ""] of marked) {
    if (mark === mine?.[1] || !await isDead(MARK, mark)) continue;
    killNow(Number(pid));
    processes++;
  }
  for (const { name, isDirectory } of Deno.readDirSync(TEMPORARY)) {
    if (!isDirectory || !await isDead(FOLDER, name)) continue;
    // Somebody else's, or another bench is at it: it is not this run's to fail.
    await Deno.remove(`${TEMPORARY}/${name}`, { recursive: true }).then(() => folders++, () => {});
  }
  return { processes, folders };
}

async function nameOf(pid: number): Promise<string | undefined> {
  const [name = ""] = await shellLines(NAME, String(pid));
  return name === "" ? undefined : name;
}
