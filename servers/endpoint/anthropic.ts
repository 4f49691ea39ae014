import { readReply, replyEvents, ReplyReader, writeReply } from "./anthropic_reply.ts";
import { parseRequest, rewriteRequest } from "./anthropic_request.ts";
import type { Api } from "./api.ts";

/** Anthropic's messages. */
export const ANTHROPIC: Api = {
  id: "anthropic",
  path: "/v1/messages",
  ids: "msg-",
  parse: parseRequest,
  rewrite: rewriteRequest,
  write: writeReply,
  events: replyEvents,
  read: readReply,
  reader: () => new ReplyReader(),
};
