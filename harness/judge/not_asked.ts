/** Why a judge is not asked something at all. */
import { CodedError } from "../../core/mod.ts";

/**
 * A question that is put to nobody: there is no room for it within a limit of the run, its provider is known to be out, or a
 * recording has nothing of it. A judge that was not asked has not looked, and is not held to have said that it cannot tell.
 */
export class NotAsked extends CodedError {}
