/**
 * The ground floor: time, bytes, names and words that everything else stands on. Knows nothing of agents.
 *
 * @module
 */
export { checkDelay, type Clock, type Deadline, deadline, DeadlineExceeded, sleep, type Timer } from "./clock.ts";
export { untilAborted } from "./abort.ts";
export { RealClock } from "./real_clock.ts";
export { RunawayError, StalledError, StrayError } from "./cell_error.ts";
export { VirtualClock, type VirtualClockOptions } from "./virtual_clock.ts";
export { bookkeeping, inCell } from "./cell.ts";
export { guardGlobals, type GuardOptions } from "./guard.ts";
export { type ByteConnection, type ByteReader, ClosedError, memoryPair } from "./pipe.ts";
export { type LineSink, LineSplitter, MAX_LINE_BYTES } from "./line_splitter.ts";
export { type BadLine, encodeLine, JsonLines } from "./framing.ts";
export { ChildConnection, type ChildOptions, childPids, killChildren, spawnChild } from "./child.ts";
export { stdioConnection } from "./stdio.ts";
export { canonicalJson, digest, type Json, sha256 } from "./canonical.ts";
export { prettyJson } from "./pretty.ts";
export { passingBytes } from "./utf8.ts";
export { childId, parentId } from "./ids.ts";
export { Random } from "./random.ts";
export {
  CodedError,
  type Failure,
  FAILURE_CODES,
  type FailureCode,
  type FailureKind,
  FAILURES,
  type Strategy,
  toFailure,
} from "./failure.ts";
export { withoutCredentials, withoutSecretsOfErrors } from "./credentials.ts";
export { Redactor } from "./redact.ts";
export { clip, nearest, oneLine, printable } from "./text.ts";
