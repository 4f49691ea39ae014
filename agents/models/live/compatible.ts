/** Any server that speaks OpenAI's chat completions: llama.cpp's, Ollama, vLLM, a gateway. */
import { chatCompletions } from "./openai.ts";
import type { Provider, ProviderOptions } from "./provider.ts";

/** Connects to the server. What not all of them have is left out: forms, and the new name of the limit. */
export function connect(options: ProviderOptions): Provider {
  // The client insists on a key, and most of these servers want none.
  const apiKey = options.apiKey === "" ? "none" : options.apiKey;
  return chatCompletions({ ...options, apiKey }, { holdsToForm: false, maxTokens: "max_tokens" });
}
