/** The AI SDK, at the version that is judged. The only file that names it. */
export {
  APICallError,
  dynamicTool,
  extractJsonMiddleware,
  generateText,
  isStepCount,
  jsonSchema,
  NoObjectGeneratedError,
  Output,
  ToolLoopAgent,
  type ToolSet,
  wrapLanguageModel,
} from "npm:ai@7.0.173";
export type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from "npm:@ai-sdk/provider@4.0.38";
