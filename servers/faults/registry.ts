import { z } from "zod";
import { nearest } from "../../core/mod.ts";
import { actsThenHangs } from "./acts_then_hangs.ts";
import { badContent } from "./bad_content.ts";
import { badFrame } from "./bad_frame.ts";
import { badParams } from "./bad_params.ts";
import { badReply } from "./bad_reply.ts";
import { badToolSchema } from "./bad_tool_schema.ts";
import { batchReply } from "./batch_reply.ts";
import { blackHole } from "./black_hole.ts";
import { bom } from "./bom.ts";
import { clockSkew } from "./clock_skew.ts";
import { contradiction } from "./contradiction.ts";
import { corruptValue } from "./corrupt_value.ts";
import { crash } from "./crash.ts";
import { crashOnStart } from "./crash_on_start.ts";
import { crlf } from "./crlf.ts";
import { cutBody } from "./cut_body.ts";
import { danglingSchema } from "./dangling_schema.ts";
import { decoy } from "./decoy.ts";
import { diesIdle } from "./dies_idle.ts";
import { duplicateDelivery } from "./duplicate_delivery.ts";
import { duplicateReply } from "./duplicate_reply.ts";
import { duplicateTool } from "./duplicate_tool.ts";
import { duplicatedRows } from "./duplicated_rows.ts";
import { emptyList } from "./empty_list.ts";
import { emptyResult } from "./empty_result.ts";
import { errorInBand } from "./error_in_band.ts";
import { errorNested } from "./error_nested.ts";
import { errorWithSchema } from "./error_with_schema.ts";
import { falseEscalation } from "./false_escalation.ts";
import type { EntrySchema, Fault, FaultEntry } from "./fault.ts";
import { flaky } from "./flaky.ts";
import { gluedGarbage } from "./glued_garbage.ts";
import { hostileNames } from "./hostile_names.ts";
import { htmlResult } from "./html_result.ts";
import { hugeList } from "./huge_list.ts";
import { initializeRefused } from "./initialize_refused.ts";
import { injectedResult } from "./injected_result.ts";
import { internalError } from "./internal_error.ts";
import { invalidUtf8 } from "./invalid_utf8.ts";
import { lateReply } from "./late_reply.ts";
import { latency } from "./latency.ts";
import { listChanged } from "./list_changed.ts";
import { methodNotFound } from "./method_not_found.ts";
import { missingId } from "./missing_id.ts";
import { MODEL_FAULTS } from "./model/mod.ts";
import { mojibake } from "./mojibake.ts";
import { noNewline } from "./no_newline.ts";
import { noToolsCapability } from "./no_tools_capability.ts";
import { notificationFlood } from "./notification_flood.ts";
import { oneAtATime } from "./one_at_a_time.ts";
import { outOfOrder } from "./out_of_order.ts";
import { oversizedLine } from "./oversized_line.ts";
import { oversizedResult } from "./oversized_result.ts";
import { pagedList } from "./paged_list.ts";
import { paginationLoop } from "./pagination_loop.ts";
import { partialPage } from "./partial_page.ts";
import { pauseResume } from "./pause_resume.ts";
import { plantedSecret } from "./planted_secret.ts";
import { poisonedDescription } from "./poisoned_description.ts";
import { prettyPrinted } from "./pretty_printed.ts";
import { progress } from "./progress.ts";
import { progressForever } from "./progress_forever.ts";
import { prototypeKeys } from "./prototype_keys.ts";
import { proxyHtml } from "./proxy_html.ts";
import { queueFull } from "./queue_full.ts";
import { quotaExhausted } from "./quota_exhausted.ts";
import { rateLimited } from "./rate_limited.ts";
import { resetAfterBytes } from "./reset_after_bytes.ts";
import { resetPeer } from "./reset_peer.ts";
import { rugPull } from "./rug_pull.ts";
import { schemaDrift } from "./schema_drift.ts";
import { schemaViolation } from "./schema_violation.ts";
import { serverAsks } from "./server_asks.ts";
import { serverCancels } from "./server_cancels.ts";
import { serverDown } from "./server_down.ts";
import { shadowTool } from "./shadow_tool.ts";
import { silentNoop } from "./silent_noop.ts";
import { slowClose } from "./slow_close.ts";
import { slowDrip } from "./slow_drip.ts";
import { slowStart } from "./slow_start.ts";
import { splitBytes } from "./split_bytes.ts";
import { stale } from "./stale.ts";
import { staleUndated } from "./stale_undated.ts";
import { stdoutNoise } from "./stdout_noise.ts";
import { streamCut } from "./stream_cut.ts";
import { stringId } from "./string_id.ts";
import { structuredConflict } from "./structured_conflict.ts";
import { swappedReplies } from "./swapped_replies.ts";
import { terminalEscape } from "./terminal_escape.ts";
import { toolError } from "./tool_error.ts";
import { toolVanishes } from "./tool_vanishes.ts";
import { truncatedResult } from "./truncated_result.ts";
import { unauthorized } from "./unauthorized.ts";
import { unknownContent } from "./unknown_content.ts";
import { unsolicitedReply } from "./unsolicited_reply.ts";
import { versionConflict } from "./version_conflict.ts";
import { versionMismatch } from "./version_mismatch.ts";
import { wrongEntity } from "./wrong_entity.ts";
import { wrongId } from "./wrong_id.ts";

/** The catalogue, by layer; the faults on the model's side come last. A new fault is added here and nowhere else. */
const CATALOGUE: readonly [Fault, ...Fault[]] = [
  // transport
  serverDown,
  slowStart,
  crashOnStart,
  crash,
  diesIdle,
  resetPeer,
  resetAfterBytes,
  blackHole,
  latency,
  slowDrip,
  splitBytes,
  cutBody,
  streamCut,
  slowClose,
  pauseResume,
  stdoutNoise,
  proxyHtml,
  rateLimited,
  unauthorized,
  // protocol
  badFrame,
  badReply,
  noNewline,
  gluedGarbage,
  prettyPrinted,
  batchReply,
  invalidUtf8,
  bom,
  crlf,
  oversizedLine,
  wrongId,
  missingId,
  stringId,
  swappedReplies,
  duplicateReply,
  unsolicitedReply,
  methodNotFound,
  badParams,
  internalError,
  versionMismatch,
  noToolsCapability,
  initializeRefused,
  paginationLoop,
  pagedList,
  emptyList,
  hugeList,
  badToolSchema,
  danglingSchema,
  duplicateTool,
  toolVanishes,
  listChanged,
  lateReply,
  progress,
  progressForever,
  notificationFlood,
  serverAsks,
  serverCancels,
  // result
  toolError,
  flaky,
  errorInBand,
  errorNested,
  htmlResult,
  emptyResult,
  truncatedResult,
  oversizedResult,
  unknownContent,
  badContent,
  errorWithSchema,
  schemaViolation,
  // semantic
  stale,
  staleUndated,
  wrongEntity,
  schemaDrift,
  structuredConflict,
  corruptValue,
  mojibake,
  partialPage,
  duplicatedRows,
  silentNoop,
  actsThenHangs,
  contradiction,
  // security
  injectedResult,
  poisonedDescription,
  rugPull,
  shadowTool,
  hostileNames,
  prototypeKeys,
  terminalEscape,
  falseEscalation,
  decoy,
  plantedSecret,
  // budget
  quotaExhausted,
  // concurrency
  queueFull,
  oneAtATime,
  outOfOrder,
  duplicateDelivery,
  versionConflict,
  clockSkew,
  // plan, model output, model API
  ...MODEL_FAULTS,
];

/** Every fault by its id. */
export const FAULTS: ReadonlyMap<string, Fault> = new Map(CATALOGUE.map((fault) => [fault.id, fault]));

const [first, ...rest] = CATALOGUE;
const entries: [EntrySchema, ...EntrySchema[]] = [first.entry, ...rest.map(({ entry }) => entry)];

/** A fault's line in a scenario: `{ fault, at, when?, ...parameters }`, strict, chosen by `fault`. */
export const faultEntrySchema: z.ZodType<FaultEntry> = z.discriminatedUnion("fault", entries, {
  error: ({ input }) => {
    const fault = typeof input === "object" && input !== null && "fault" in input ? input.fault : undefined;
    const near = typeof fault === "string" ? nearest(fault, FAULTS.keys()) : undefined;
    if (near !== undefined) return `unknown fault "${fault}" (did you mean "${near}"?)`;
    return `unknown fault ${JSON.stringify(fault)}: there are ${[...FAULTS.keys()].join(", ")}`;
  },
});
