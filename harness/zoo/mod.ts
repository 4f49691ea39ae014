/**
 * Deliberately bad orchestrators. What a scorer is for, it must find in one of these: each is the reference with one vice,
 * behaves badly wherever the vice has an occasion, and well where it has none.
 */
import type { Subject } from "../../agents/mod.ts";
import * as accounts from "./accounts.ts";
import * as answers from "./answers.ts";
import * as calls from "./calls.ts";
import * as limits from "./limits.ts";
import * as messages from "./messages.ts";
import type { AnimalName } from "./names.ts";
import * as plans from "./plans.ts";

/** Every animal, by name. */
export const ANIMALS: Readonly<Record<AnimalName, Subject>> = {
  liar: answers.liar,
  dropper: answers.dropper,
  storm: limits.storm,
  inventor: answers.inventor,
  stale: answers.stale,
  alarmist: answers.alarmist,
  serial: plans.serial,
  skimper: plans.skimper,
  leaker: messages.leaker,
  "free-hand": calls.freeHand,
  planless: plans.planless,
  truncator: answers.truncator,
  double: calls.double,
  flatterer: accounts.flatterer,
  gossip: messages.gossip,
  braggart: answers.braggart,
  quitter: limits.quitter,
  miscoder: answers.miscoder,
  forgetter: messages.forgetter,
  spender: limits.spender,
  miscounter: accounts.miscounter,
  mumbler: accounts.mumbler,
  turncoat: accounts.turncoat,
  crasher: answers.crasher,
};
