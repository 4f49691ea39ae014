import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onTasks, withMember } from "./on_plan.ts";
import { SPECIALIST } from "./plan.ts";

/** A name that every object of the language answers to. */
export const prototypeSpecialist = defineFault({
  id: "prototype_specialist",
  layer: "security",
  visibility: "explicit",
  summary: "The plan's first task is for a specialist with the name of a built-in member.",
  correct: "It is an unknown name like any other: look names up where only real specialists are.",
  outcome: "unknown_specialist",
  example: "- { fault: prototype_specialist, at: agent:planner }",
  params: z.strictObject({
    name: z.enum(["constructor", "toString", "__proto__", "hasOwnProperty"]).default("constructor").describe(
      "The name.",
    ),
  }),
  hooks: {
    turn: (reply, { params }) =>
      onTasks(reply, ([first, ...rest]) => first && [withMember(first, SPECIALIST, params.name), ...rest]),
  },
});
