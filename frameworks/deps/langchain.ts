/** LangChain and LangGraph, at the versions that are judged. The only file that names them. */
export { type CallbackManagerForLLMRun } from "npm:@langchain/core@1.4.0/callbacks/manager";
export {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "npm:@langchain/core@1.4.0/language_models/chat_models";
export {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "npm:@langchain/core@1.4.0/messages";
export { StructuredOutputParser } from "npm:@langchain/core@1.4.0/output_parsers";
export { type ChatResult } from "npm:@langchain/core@1.4.0/outputs";
export { type StructuredToolInterface, tool } from "npm:@langchain/core@1.4.0/tools";
export { convertToOpenAITool } from "npm:@langchain/core@1.4.0/utils/function_calling";
export { Annotation, Command, END, MemorySaver, Send, START, StateGraph } from "npm:@langchain/langgraph@1.7.3";
export { createReactAgent } from "npm:@langchain/langgraph@1.7.3/prebuilt";
export { createSupervisor } from "npm:@langchain/langgraph-supervisor@1.1.3";
export { createAgent } from "npm:langchain@1.5.14";

import { type createAgent, modelCallLimitMiddleware } from "npm:langchain@1.5.14";

/** Middleware of an agent. */
export type Middleware = NonNullable<Parameters<typeof createAgent>[0]["middleware"]>[number];

/**
 * LangChain's `modelCallLimitMiddleware`. Its declarations do not fit `exactOptionalPropertyTypes`, and take no options at
 * all where another zod than theirs is resolved, so what its documentation says is written down here.
 */
export const modelCallLimit = modelCallLimitMiddleware as unknown as (options: {
  /** How many model calls one run of the agent may make. */
  readonly runLimit: number;
  /** What happens then: the agent ends with a message that says so, or throws. LangChain's default is `end`. */
  readonly exitBehavior?: "end" | "error";
}) => Middleware;
