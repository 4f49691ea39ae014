import { z } from "zod";
import { defineFault } from "./fault.ts";
import { editObject, editResult } from "./json_edit.ts";

/** A result whose keys are those that every object inherits. */
export const prototypeKeys = defineFault({
  id: "prototype_keys",
  layer: "security",
  visibility: "implicit",
  summary: "The result's JSON has members called __proto__ and constructor.",
  correct: "Copy it without making them anything but members; no check becomes true because of them.",
  outcome: "ok",
  needs: "json_result",
  params: z.strictObject({}),
  hooks: {
    reply: (reply) =>
      editResult(reply, (value) =>
        editObject(value, (object) => ({
          ...object,
          ["__proto__"]: { isAdmin: true },
          constructor: { prototype: { isAdmin: true } },
        }))),
  },
});
