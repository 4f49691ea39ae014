/** The faults on the model's side: what a model says, and what goes wrong with asking it. */
import type { Fault } from "../fault.ts";
import { badArguments } from "./bad_arguments.ts";
import { badToolCall } from "./bad_tool_call.ts";
import { budgetExhausted } from "./budget_exhausted.ts";
import { completedWithoutText } from "./completed_without_text.ts";
import { confidentAtLimit } from "./confident_at_limit.ts";
import { contentFilter } from "./content_filter.ts";
import { contextLength } from "./context_length.ts";
import { cyclicPlan } from "./cyclic_plan.ts";
import { doubleCountedTokens } from "./double_counted_tokens.ts";
import { droppedFacts } from "./dropped_facts.ts";
import { duplicateCallIds } from "./duplicate_call_ids.ts";
import { duplicateTaskIds } from "./duplicate_task_ids.ts";
import { emptyPlan } from "./empty_plan.ts";
import { emptyReply } from "./empty_reply.ts";
import { endsAtOnce } from "./ends_at_once.ts";
import { fencedPlan } from "./fenced_plan.ts";
import { leakedReasoning } from "./leaked_reasoning.ts";
import { lostHistory } from "./lost_history.ts";
import { malformedModelReply } from "./malformed_model_reply.ts";
import { malformedPlan } from "./malformed_plan.ts";
import { modelHang } from "./model_hang.ts";
import { modelHttpError } from "./model_http_error.ts";
import { modelOverloaded } from "./model_overloaded.ts";
import { modelProxyHtml } from "./model_proxy_html.ts";
import { modelRateLimited } from "./model_rate_limited.ts";
import { modelRefusal } from "./model_refusal.ts";
import { modelStreamCut } from "./model_stream_cut.ts";
import { modelStreamStall } from "./model_stream_stall.ts";
import { modelUnauthorized } from "./model_unauthorized.ts";
import { neverStops } from "./never_stops.ts";
import { offBriefWorker } from "./off_brief_worker.ts";
import { overDecomposed } from "./over_decomposed.ts";
import { overloadInStream } from "./overload_in_stream.ts";
import { proseForSchema } from "./prose_for_schema.ts";
import { prototypeSpecialist } from "./prototype_specialist.ts";
import { serialisedPlan } from "./serialised_plan.ts";
import { sharedStreamIndex } from "./shared_stream_index.ts";
import { slowFirstToken } from "./slow_first_token.ts";
import { slowStream } from "./slow_stream.ts";
import { splitMultibyte } from "./split_multibyte.ts";
import { successAfterFailure } from "./success_after_failure.ts";
import { synthesisDrops } from "./synthesis_drops.ts";
import { truncatedArguments } from "./truncated_arguments.ts";
import { truncatedPlan } from "./truncated_plan.ts";
import { truncatedReply } from "./truncated_reply.ts";
import { underDecomposed } from "./under_decomposed.ts";
import { unknownSpecialist } from "./unknown_specialist.ts";
import { unknownTool } from "./unknown_tool.ts";
import { unsupportedNote } from "./unsupported_note.ts";
import { withheldFinding } from "./withheld_finding.ts";
import { wrongSpecialist } from "./wrong_specialist.ts";

/** Every fault on the model's side, by layer. A new one is added here and nowhere else. */
export const MODEL_FAULTS: readonly Fault[] = [
  // plan
  fencedPlan,
  malformedPlan,
  emptyPlan,
  truncatedPlan,
  unknownSpecialist,
  wrongSpecialist,
  droppedFacts,
  cyclicPlan,
  duplicateTaskIds,
  overDecomposed,
  underDecomposed,
  serialisedPlan,
  // model output
  proseForSchema,
  offBriefWorker,
  unsupportedNote,
  successAfterFailure,
  withheldFinding,
  synthesisDrops,
  endsAtOnce,
  completedWithoutText,
  leakedReasoning,
  badArguments,
  unknownTool,
  duplicateCallIds,
  truncatedArguments,
  truncatedReply,
  neverStops,
  confidentAtLimit,
  lostHistory,
  // model API
  modelHttpError,
  modelOverloaded,
  modelUnauthorized,
  contextLength,
  modelRateLimited,
  modelProxyHtml,
  modelHang,
  slowFirstToken,
  slowStream,
  modelStreamCut,
  modelStreamStall,
  overloadInStream,
  malformedModelReply,
  emptyReply,
  contentFilter,
  modelRefusal,
  badToolCall,
  sharedStreamIndex,
  splitMultibyte,
  doubleCountedTokens,
  // security
  prototypeSpecialist,
  // budget
  budgetExhausted,
];
