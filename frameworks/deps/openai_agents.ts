/** The OpenAI Agents SDK, at the version that is judged. The only file that names it. */
export {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  handoff,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  type Tool,
  tool,
  Usage,
} from "npm:@openai/agents@0.20.0";
export { removeAllTools } from "npm:@openai/agents-core@0.20.0/extensions";
