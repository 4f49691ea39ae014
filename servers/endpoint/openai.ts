import type { Api } from "./api.ts";
import { readReply, replyEvents, ReplyReader, writeReply } from "./openai_reply.ts";
import { parseRequest, rewriteRequest } from "./openai_request.ts";

/** OpenAI's chat completions. */
export const OPENAI: Api = {
  id: "openai",
  path: "/v1/chat/completions",
  ids: "chatcmpl-",
  parse: parseRequest,
  rewrite: rewriteRequest,
  write: writeReply,
  events: replyEvents,
  read: readReply,
  reader: () => new ReplyReader(),
};
