/** The animals of the zoo by name, so that they can be listed without being loaded. */

/** What each does wrong, in one sentence. */
export const SUMMARIES = {
  liar: "Drops the failures from its answer and calls it complete.",
  dropper: "Loses what the siblings of a failed worker have found.",
  storm: "Tries failed tasks again at once and without bound.",
  inventor: "Answers for a specialist that failed, with something made up.",
  stale: "Passes what is cached off as current.",
  alarmist: "Calls a healthy part failed.",
  serial: "Runs independent tasks one after another, each waiting for the one before it.",
  skimper: "Leaves the last task of a plan out, and says nothing of the part that it was for.",
  leaker: "Prints the credentials that a server has let slip.",
  "free-hand": "Ignores allowlists and approvals: every tool is shown to everybody, and every call is made.",
  planless: "Mends a truncated plan by closing it, and runs the half that is there.",
  truncator: "Gives the first part of its answer and withholds the rest, without a word.",
  double: "Repeats each write that has been made.",
  flatterer: "Marks every note as supported, and passes on what nothing bears out.",
  gossip: "Passes the user's message, and what siblings have found, to every worker.",
  braggart: "Names what failed, and calls its answer complete.",
  quitter: "Gives up at the first failure: nothing is tried again.",
  miscoder: "Gives every failure the same code, whatever happened.",
  forgetter: "Leaves the oldest tool result out of a conversation that has several.",
  spender: "Gives every worker three times the steps that the crew grants, and the run no budget.",
  miscounter: "Says that the run used twice the tokens that it did.",
  mumbler: "Tells that calls begin, and never that they end.",
  turncoat: "Tells every handoff the wrong way round.",
  crasher: "Throws instead of answering when any part has failed.",
} as const satisfies Readonly<Record<string, string>>;

/** Names an animal. */
export type AnimalName = keyof typeof SUMMARIES;

/** Whether an animal is called so. */
export function isAnimal(name: string): name is AnimalName {
  return Object.hasOwn(SUMMARIES, name);
}
