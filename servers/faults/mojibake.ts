import { z } from "zod";
import { encode } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { editTexts } from "./json_edit.ts";
import { isSuccess, replaceResult } from "./verdicts.ts";

/** Text that was decoded with the wrong table, somewhere on its way. */
export const mojibake = defineFault({
  id: "mojibake",
  layer: "semantic",
  visibility: "implicit",
  summary: "Letters beyond ASCII are garbled: UTF-8 read as Latin-1.",
  correct: "Quote it as it is or say that it is garbled; do not guess names and amounts from it.",
  outcome: "ok",
  needs: "non_ascii",
  params: z.strictObject({}),
  hooks: {
    reply(reply) {
      if (!isSuccess(reply)) return undefined;
      const garble = (text: string) => text.replace(/[^\0-\x7f]/gu, (letter) => String.fromCharCode(...encode(letter)));
      const content = editTexts(reply.result, garble);
      const isSame = JSON.stringify(content) === JSON.stringify(reply.result.content);
      return isSame ? undefined : replaceResult(reply, { ...reply.result, content });
    },
  },
});
