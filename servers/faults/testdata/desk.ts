/** A fixture with something for every fault: a date, a number, a list, letters beyond ASCII, a schema, an effect. */
import { z } from "zod";
import { defineFixture } from "../../fixture.ts";

const id = z.strictObject({ id: z.string() });
const ITEM = { amount: 12.5, as_of: "2026-11-03T10:00:00Z", note: "Größe 42 – fällig", is_open: true };

export const desk = defineFixture({
  id: "desk",
  version: "1.0.0",
  title: "A desk",
  data: z.strictObject({ saves: z.int().default(0) }),
  tools: (tool) => [
    tool({ name: "find", description: "Finds.", input: id, run: ({ id }) => ({ id, ...ITEM }) }),
    tool({
      name: "typed",
      description: "Finds, by a schema.",
      input: id,
      output: z.strictObject({ id: z.string(), amount: z.number(), as_of: z.string() }),
      run: ({ id }) => ({ id, amount: 12.5, as_of: "2026-11" }),
    }),
    tool({
      name: "search",
      description: "Searches.",
      input: z.strictObject({ query: z.string() }),
      run: ({ query }) => ({ query, total: 3, rows: [{ id: "D-1" }, { id: "D-2" }, { id: "D-3" }] }),
    }),
    tool({
      name: "save",
      description: "Saves.",
      input: id,
      run: ({ id }, { data }) => ({ id, saves: ++data.saves }),
    }),
  ],
});
