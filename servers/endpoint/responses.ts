import type { Api } from "./api.ts";
import { ReplyReader } from "./responses_reader.ts";
import { readReply, replyEvents, writeReply } from "./responses_reply.ts";
import { parseRequest, rewriteRequest } from "./responses_request.ts";

/** OpenAI's responses. */
export const RESPONSES: Api = {
  id: "responses",
  path: "/v1/responses",
  ids: "resp_",
  parse: parseRequest,
  rewrite: rewriteRequest,
  write: writeReply,
  events: replyEvents,
  read: readReply,
  reader: () => new ReplyReader(),
};
