import assert from "node:assert/strict";
import { Plan, PLAN_EXAMPLE } from "./plan.ts";
import type { PlanOutcome, PlanRejection } from "./outcome.ts";
import { parsePlan } from "./parse.ts";
import type { RepairId } from "./repairs.ts";

const roster = ["search", "math", "write"];
const T1 = `{"id": "t1", "worker": "search", "ask": "find the price"}`;
const T2 = `{"id": "t2", "worker": "math", "ask": "sum it", "needs": ["t1"]}`;
const PLAN = `{"tasks": [${T1}, ${T2}]}`;
const OTHER = `{"tasks": [{"id": "t9", "worker": "write", "ask": "something else"}]}`;
const TASKS = [
  { id: "t1", specialist: "search", objective: "find the price", inputs: {}, dependsOn: [] },
  { id: "t2", specialist: "math", objective: "sum it", inputs: {}, dependsOn: ["t1"] },
];
const smart = PLAN.replace(/"([^"]*)"/g, "“$1”");
const single = PLAN.replaceAll('"', "'");
/** A plan of one task with this text as its objective. */
const asking = (ask: string) => `{"tasks": [{"id": "t1", "worker": "write", "ask": ${JSON.stringify(ask)}}]}`;

/** Replies that hold the plan of `TASKS`, with the repairs that it takes to see it. */
const ACCEPTED: readonly (readonly [string, string, ...RepairId[]])[] = [
  ["a tilde fence", `~~~\n${PLAN}\n~~~`],
  ["a fence with another language", "```jsonc title=plan\n" + PLAN + "\n```"],
  ["a fence of five backticks around one of three", "`````\n```json\n" + PLAN + "\n```\n`````"],
  ["an indented fence in a list", "1. The plan:\n   ```json\n   " + PLAN + "\n   ```\n2. Done."],
  ["inline code", "My plan is `" + PLAN + "`."],
  ["an unclosed tilde fence", `~~~json\n${PLAN}`],
  ["an opening fence on the same line", "```json " + PLAN + "```"],
  ["Windows line ends", "```json\r\n" + PLAN.replace(", {", ",\r\n{") + "\r\n```\r\n"],
  ["prose with braces before", `I weigh {cost} and [time] first (see [1, 2]).\n${PLAN}`],
  ["prose with quoted words in braces before", `The options are {"fast" or "slow"}.\n${PLAN}`],
  ["prose with an issue number in brackets", `As asked in [#42] and [x](https://example.test/#a):\n${PLAN}`],
  ["an apostrophe and a bracket before", `Here's what I'd do [it's short]: ${PLAN}`],
  ["some other JSON before", `Config: {"depth": 3, "mode": ["a"]}\n${PLAN}`],
  ["a sketch of the form before", `The form is {"tasks": [...]}. Mine:\n${PLAN}`],
  ["a JSON schema before", `{"type": "object", "properties": {"tasks": {"type": "array"}}}\n${PLAN}`],
  ["thinking", `<thinking>${OTHER}</thinking>${PLAN}`],
  ["reasoning in capitals", `<REASONING>${OTHER}</REASONING>\n${PLAN}`],
  ["reasoning with an attribute", `<reasoning effort="high">${OTHER}</reasoning>\n${PLAN}`],
  ["nested reasoning", `<think>a <think>b ${OTHER}</think> ${OTHER}</think> ${PLAN}`],
  ["a mismatched closer of reasoning", `<think>${OTHER}</thinking>${PLAN}`],
  ["reasoning whose opening is in the prompt", `maybe ${OTHER}\n</think>\n${PLAN}`],
  ["broken JSON in reasoning", `<think>{"tasks": [{"id": "t1", "wor</think>${PLAN}`],
  ["broken JSON in reasoning without opening", `{"tasks": [{"id": oops\n</think>\n${PLAN}`],
  ["bracketed reasoning", `[THINK]${OTHER}[/THINK]${PLAN}`],
  ["piped reasoning", `<|begin_of_thought|>${OTHER}<|end_of_thought|>${PLAN}`],
  [
    "channelled reasoning",
    `<|channel|>analysis<|message|>${OTHER}<|end|><|start|>assistant<|channel|>final<|message|>${PLAN}`,
  ],
  ["reasoning after the plan", `${PLAN}\n<think>or ${OTHER}?</think>`],
  ["tags that are no reasoning", `<plan>${PLAN}</plan>`],
  ["the plan twice", `${PLAN}\nAgain:\n${PLAN}`],
  [
    "the plan twice in other words",
    `${PLAN} ${PLAN.replaceAll('"ask"', '"objective"').replace("{", "{\n").replace("needs", "after")}`,
  ],
  ["a task repeated outside", `First ${T1}. All: ${PLAN}`],
  ["a result wrapper", `{"result": ${PLAN}}`, "unwrapped"],
  ["three wrappers", `{"response": {"data": {"plan": ${PLAN}}}}`, "unwrapped"],
  ["a wrapper with a remark", `{"plan": ${PLAN}, "why": "quick"}`, "unwrapped", "unknown_key"],
  ["a wrapped list", `{"plan": [${T1}, ${T2}]}`, "renamed_key"],
  ["a plan in a list of one", `[${PLAN}]`, "unwrapped"],
  ["a wrapped list of one plan", `{"plan": [${PLAN}]}`, "unwrapped"],
  ["a string under a wrapper", `{"output": ${JSON.stringify(PLAN)}}`, "json_in_string", "unwrapped"],
  [
    "a fenced string under a wrapper",
    `{"output": ${JSON.stringify("```json\n" + PLAN + "\n```")}}`,
    "json_in_string",
    "unwrapped",
  ],
  [
    "a tool call",
    `{"name": "plan", "arguments": ${JSON.stringify(PLAN)}}`,
    "json_in_string",
    "unwrapped",
    "unknown_key",
  ],
  [
    "a list in a string",
    `{"tasks": ${JSON.stringify(`[${T1}, ${T2}]`)}}`,
    "json_in_string",
    "top_level_array",
    "unwrapped",
  ],
  ["JSON encoded twice over", JSON.stringify(JSON.stringify(PLAN)), "json_in_string"],
  ["an encoded plan in a fence", "```json\n" + JSON.stringify(PLAN) + "\n```", "json_in_string"],
  ["a summary named plan", `{"plan": "first search, then sum", "tasks": [${T1}, ${T2}]}`, "unknown_key"],
  ["a remark at the top", `{"reasoning": "two [steps] {here}", "tasks": [${T1}, ${T2}]}`, "unknown_key"],
  ["steps", PLAN.replace("tasks", "steps"), "renamed_key"],
  ["subtasks", PLAN.replace("tasks", "Sub_Tasks"), "renamed_key"],
  ["agent and goal", PLAN.replaceAll("worker", "agent").replaceAll('"ask"', '"goal"'), "renamed_key"],
  [
    "assignee and description",
    PLAN.replaceAll("worker", "assignee").replaceAll('"ask"', '"description"'),
    "renamed_key",
  ],
  ["depends_on", PLAN.replace("needs", "depends_on"), "renamed_key"],
  ["after", PLAN.replace("needs", "after"), "renamed_key"],
  [
    "our own names",
    PLAN.replaceAll("worker", "specialist").replaceAll('"ask"', '"objective"').replace("needs", "dependsOn"),
  ],
  [
    "one field twice",
    PLAN.replace('"worker": "search"', '"worker": "search", "agent": "search"'),
    "renamed_key",
    "duplicate_field",
  ],
  ["one key twice", PLAN.replace('"id": "t1"', '"id": "t1", "id": "t1"'), "duplicate_key"],
  ["an unknown key", PLAN.replace('"id": "t1"', '"id": "t1", "priority": 1'), "unknown_key"],
  [
    "null for nothing",
    PLAN.replace('"id": "t1"', '"id": "t1", "needs": null, "maxSteps": null'),
    "null_as_absent",
  ],
  ["a dependency twice", PLAN.replace('["t1"]', '["t1", "t1"]'), "duplicate_dependency"],
  ["space around a name", PLAN.replace('"search"', '" search\\n"'), "trimmed_name"],
  ["a comma after everything", PLAN.replaceAll("}", ",}").replaceAll("]", ",]"), "trailing_comma"],
  ["a line comment with braces", PLAN.replace("[{", `[ // first {"id": "x"} then ]\n{`), "comment"],
  ["a block comment with a quote", PLAN.replace("[{", `[ /* "it's" [ */ {`), "comment"],
  ["a hash comment", PLAN.replace("[{", "[ # one {\n{"), "comment"],
  ["a task in a comment", PLAN.replace("}]}", `}, // {"id": "t3"}\n]}`), "comment", "trailing_comma"],
  ["smart quotes everywhere", smart, "smart_quotes"],
  ["low quotes", PLAN.replace(/"([^"]*)"/g, "„$1“"), "smart_quotes"],
  ["guillemets", PLAN.replace(/"([^"]*)"/g, "«$1»"), "smart_quotes"],
  ["closing quotes on both sides", PLAN.replace(/"([^"]*)"/g, "”$1”"), "smart_quotes"],
  ["single smart quotes", PLAN.replace(/"([^"]*)"/g, "‘$1’"), "smart_quotes"],
  ["single quotes", single, "single_quotes"],
  [
    "a Python literal",
    single.replace("['t1']", "['t1'], 'maxSteps': None"),
    "single_quotes",
    "python_literal",
    "null_as_absent",
  ],
  ["keys without quotes", PLAN.replace(/"(\w+)":/g, "$1:"), "unquoted_key"],
  ["a byte order mark", "\ufeff" + PLAN, "byte_order_mark"],
  ["no-break spaces", PLAN.replaceAll(": ", ":\u00a0"), "odd_whitespace"],
  ["a bracket too many", PLAN + "}", "stray_closer"],
];

for (const [name, text, ...repairs] of ACCEPTED) {
  Deno.test(`parsePlan() takes the plan out of ${name}`, () => {
    const outcome = parsePlan(text, { roster });
    assert.equal(outcome.status, repairs.length > 0 ? "repair" : "ok", JSON.stringify(outcome));
    assert.deepEqual(outcome.plan?.tasks, TASKS);
    assert.deepEqual(new Set(outcome.repairs.map(({ id }) => id)), new Set(repairs));
    assert.ok(Plan.safeParse(outcome.plan).success);
  });
}

/** Texts that a plan's own strings may hold, and that mean nothing there. */
const TEXTS = [
  '```json\n{"tasks": []}\n```',
  "~~~ and `x`",
  "see https://example.test/a//b /* not a comment */ # nor this",
  "</think> and <think> are tags",
  `{"tasks": [{"id": "t1"}]} and ]]}}`,
  "“quoted” and ‘so’ and «so»",
  "it's 'so', \"so\", and so: on",
  "a,] b,} True None",
  "\ud800 alone, \u0000 and \u202e",
  "I'm sorry, I can't help with that.",
];

for (const ask of TEXTS) {
  Deno.test(`parsePlan() leaves a string as it is: ${JSON.stringify(ask)}`, () => {
    const outcome = parsePlan(asking(ask), { roster });
    assert.equal(outcome.status, "ok");
    assert.equal(outcome.plan?.tasks[0]?.objective, ask);
  });
}

/** Mended strings, as they are written and as they are meant. */
const MENDED: readonly (readonly [string, string, RepairId])[] = [
  ['“say “hi”, then "bye"”', `say “hi”, then "bye"`, "smart_quotes"],
  ["'Bob's \"best\" price'", `Bob's "best" price`, "single_quotes"],
  ["‘the firm’s price’", "the firm’s price", "smart_quotes"],
  [`'it\\'s'`, "it's", "single_quotes"],
  [`"it\\'s"`, "it's", "bad_escape"],
  [`"one\ntwo"`, "one\ntwo", "control_character"],
];

for (const [written, meant, repair] of MENDED) {
  Deno.test(`parsePlan() reads ${JSON.stringify(written)} as it is meant`, () => {
    const outcome = parsePlan(`{"tasks": [{"id": "t1", "worker": "write", "ask": ${written}}]}`, { roster });
    assert.equal(outcome.plan?.tasks[0]?.objective, meant);
    assert.ok(outcome.repairs.some(({ id }) => id === repair));
  });
}

const with1 = (more: string) => `{"tasks": [{"id": "t1", "worker": "search", "ask": "x", ${more}}, ${T2}]}`;
const REJECTED: readonly (readonly [string, string, PlanRejection])[] = [
  ["no text", "", "no_plan"],
  ["white space", " \n\t", "no_plan"],
  ["prose", "First search for the price, then sum it.", "no_plan"],
  ["an empty list", "[]", "empty"],
  ["an empty list in a wrapper", `{"plan": {"tasks": []}}`, "empty"],
  ["a refusal with a curly apostrophe", "I’m sorry, but I can’t assist with that request.", "refusal"],
  ["a polite refusal", "Sorry, but I cannot. Please ask someone else.", "refusal"],
  ["a question", "I'm sorry, which order do you mean? I can't find it.", "no_plan"],
  ["a policy refusal", "Helping here is against our content policy.", "refusal"],
  ["a refusal as JSON", `{"error": "I cannot help with this."}`, "refusal"],
  ["a plan only in reasoning", `<think>${PLAN}</think> Done.`, "no_plan"],
  ["reasoning that never ends", `<think>so ${PLAN}`, "truncated"],
  ["reasoning that begins again after the plan", `${PLAN} <think> wait`, "truncated"],
  ["two plans in two fences", "```\n" + PLAN + "\n```\nor\n```\n" + OTHER + "\n```", "rival_plans"],
  ["two plans under two keys", `{"plan_a": ${PLAN}, "plan_b": ${OTHER}}`, "rival_plans"],
  ["two plans in a list", `[${PLAN}, ${OTHER}]`, "rival_plans"],
  ["two lists in one object", `{"tasks": [${T1}], "steps": [${T2}]}`, "rival_plans"],
  ["one key with two lists", `{"tasks": [${T1}], "tasks": [${T1}, ${T2}]}`, "rival_plans"],
  ["a fallback beside the plan", `{"tasks": [${T1}], "fallback": ${OTHER}}`, "rival_plans"],
  ["a plan beside a plan in a string", `${PLAN} ${JSON.stringify(OTHER)}`, "rival_plans"],
  ["an empty plan beside a plan", `{"tasks": []} ${PLAN}`, "rival_plans"],
  ["a second list in a wrapper", `{"plan": ${PLAN}, "tasks": [${T1}]}`, "rival_plans"],
  ["a task after the plan", `${PLAN}, {"id": "t3", "worker": "write", "ask": "tell"}]}`, "rival_plans"],
  ["a plan that differs in order", `${PLAN} {"tasks": [${T2}, ${T1}]}`, "rival_plans"],
  ["a plan under an unknown key", `{"example": ${PLAN}}`, "wrong_shape"],
  ["a second plan that is cut", `${PLAN}\n{"tasks": [`, "truncated"],
  ["a cut wrapper around a whole plan", `{"plan": ${PLAN}`, "truncated"],
  ["a cut wrapper with more to come", `{"plan": ${PLAN}, "no`, "truncated"],
  ["a cut list of whole tasks", `[${T1}, ${T2}`, "truncated"],
  ["a cut string in a whole wrapper", `{"output": ${JSON.stringify(PLAN.slice(0, 40))}}`, "truncated"],
  ["a fence that closes over cut JSON", "```json\n" + PLAN.slice(0, -2) + "\n```", "truncated"],
  ["a cut comment", PLAN.replace("}]}", "} /* ]}"), "truncated"],
  ["an ellipsis for tasks", PLAN.replace("}]}", "}, ...]}"), "malformed_json"],
  ["a comment for tasks", PLAN.replace("}]}", "}, // ... the rest\n]}"), "malformed_json"],
  ["a missing comma", PLAN.replace("}, {", "} {"), "malformed_json"],
  ["a missing colon", `{"plan" ${PLAN}}`, "malformed_json"],
  ["a hole in a list", PLAN.replace("}, {", "},, {"), "malformed_json"],
  ["a closing quote that is missing", PLAN.replace('price"', "price"), "malformed_json"],
  ["a missing beginning", `s": ${PLAN}}`, "malformed_json"],
  ["a mixed pair of brackets", PLAN.replace("}]}", "]}}"), "malformed_json"],
  ["ambiguous single quotes", `{'tasks': [{'id': 't1', 'worker': 'write', 'ask': 'say 'hi' now'}]}`, "malformed_json"],
  ["an unknown escape", `{"tasks": [{"id": "t1", "worker": "write", "ask": "match \\d+"}]}`, "malformed_json"],
  ["an inexact number", with1(`"inputs": {"order": 12345678901234567890}`), "malformed_json"],
  ["not a number", with1(`"inputs": {"x": NaN}`), "malformed_json"],
  ["a number as an id", PLAN.replace('"t1"', "1"), "wrong_shape"],
  ["a missing id", PLAN.replace('"id": "t1", ', ""), "wrong_shape"],
  ["a missing worker", PLAN.replace('"worker": "search", ', ""), "wrong_shape"],
  ["a missing ask", PLAN.replace(', "ask": "find the price"', ""), "wrong_shape"],
  ["a blank ask", PLAN.replace("find the price", "  "), "wrong_shape"],
  ["an ask that is a list", PLAN.replace('"find the price"', '["find"]'), "wrong_shape"],
  ["needs that are a string", PLAN.replace('["t1"]', '"t1"'), "wrong_shape"],
  ["inputs that are a list", with1(`"inputs": ["a"]`), "wrong_shape"],
  ["a budget of no steps", with1(`"maxSteps": 0`), "wrong_shape"],
  ["a string among tasks", `{"tasks": [${T1}, "then sum"]}`, "wrong_shape"],
  ["tasks by name", `{"tasks": {"t1": ${T1}}}`, "wrong_shape"],
  ["a task alone", T1, "wrong_shape"],
  ["tasks on lines", `${T1}\n${T2}`, "wrong_shape"],
  ["an order under an unknown key", with1(`"next": ["t2"]`), "wrong_shape"],
  ["tasks inside a task", with1(`"subtasks": [{"id": "t3", "worker": "write", "ask": "y"}]`), "wrong_shape"],
  ["two values for one field", with1(`"agent": "math"`), "conflicting_field"],
  ["two values for one key", with1(`"ask": "y"`), "conflicting_field"],
  ["two values for one input", with1(`"inputs": {"a": 1, "a": 2}`), "conflicting_field"],
  ["a task that waits for itself", PLAN.replace('["t1"]', '["t2"]'), "cycle"],
  ["a long cycle", with1(`"needs": ["t2"]`), "cycle"],
  ["a dependency on nothing", PLAN.replace('["t1"]', '["t1", "t7"]'), "dangling_dependency"],
  ["a dependency named constructor", PLAN.replace('["t1"]', '["constructor"]'), "dangling_dependency"],
  ["one id twice", PLAN.replace('"t2"', '"t1"').replace(', "needs": ["t1"]', ""), "duplicate_id"],
  ["the same task twice", `{"tasks": [${T1}, ${T1}]}`, "duplicate_id"],
  ["only unknown specialists", PLAN.replace('"search"', '"Search"'), "unknown_specialist"],
];

for (const [name, text, reason] of REJECTED) {
  Deno.test(`parsePlan() rejects ${name}`, () => {
    const outcome = parsePlan(text, { roster });
    assert.equal(reasonOf(outcome), reason, JSON.stringify(outcome));
  });
}

function reasonOf(outcome: PlanOutcome): PlanRejection | undefined {
  return outcome.status === "reject" ? outcome.reason : undefined;
}

Deno.test("parsePlan() rejects by the reason for which the model stopped, whatever the text", () => {
  assert.equal(reasonOf(parsePlan(PLAN, { roster, finish: "length" })), "truncated");
  for (const finish of ["refusal", "content_filter"] as const) {
    const outcome = parsePlan(PLAN, { roster, finish });
    assert.equal(outcome.status === "reject" && outcome.failure.code, "refused");
  }
  for (const finish of ["stop", "tool_calls"] as const) assert.equal(parsePlan(PLAN, { roster, finish }).status, "ok");
});

Deno.test("parsePlan() drops a task for somebody unknown, and what depends on it", () => {
  const text = `{"tasks": [
    {"id": "a", "worker": "lawyer", "ask": "x"},
    {"id": "b", "worker": "search", "ask": "y", "needs": ["c"]},
    {"id": "c", "worker": "math", "ask": "z", "needs": ["a"]},
    {"id": "d", "worker": "write", "ask": "w"}]}`;
  const outcome = parsePlan(text, { roster });
  assert.equal(outcome.status, "ok");
  assert.deepEqual(outcome.plan?.tasks.map(({ id }) => id), ["d"]);
  assert.deepEqual(outcome.dropped, [
    { id: "a", specialist: "lawyer", objective: "x", reason: "unknown_specialist" },
    { id: "b", specialist: "search", objective: "y", reason: "depends_on_dropped" },
    { id: "c", specialist: "math", objective: "z", reason: "depends_on_dropped" },
  ]);
});

Deno.test("parsePlan() counts the tasks of a plan, unknown specialists included", () => {
  const of = (count: number) =>
    JSON.stringify({ tasks: Array.from({ length: count }, (_, i) => ({ id: `t${i}`, worker: "nobody", ask: "x" })) });
  assert.equal(reasonOf(parsePlan(of(51), { roster })), "too_many_tasks");
  assert.equal(reasonOf(parsePlan(of(50), { roster })), "unknown_specialist");
  assert.equal(reasonOf(parsePlan(PLAN, { roster, maxTasks: 1 })), "too_many_tasks");
});

Deno.test("parsePlan() treats names from Object.prototype like any other name", () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString"];
  const tasks = names.map((name) =>
    `{"id": "${name}", "worker": "${name}", "ask": "x", "__proto__": {"polluted": 1},
    "inputs": {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}}`
  );
  const text = `{"tasks": [${tasks.join()}], "__proto__": {"polluted": 1}}`;

  assert.equal(parsePlan(text, { roster }).dropped.length, names.length);
  const outcome = parsePlan(text, { roster: names });
  assert.deepEqual(outcome.plan?.tasks.map(({ id }) => id), names);
  const inputs = outcome.plan?.tasks[0]?.inputs ?? {};
  assert.deepEqual(Object.keys(inputs), ["__proto__", "constructor"]);
  assert.equal(Object.getPrototypeOf(inputs), Object.prototype);
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal(Reflect.get(inputs, "polluted"), undefined);
});

Deno.test("parsePlan() keeps inputs as they are, and reads them out of a string", () => {
  const inputs = { order: "1182", lines: [{ sku: "a", price: 1.5e3, gift: false, note: null }], "": "" };
  for (const written of [JSON.stringify(inputs), JSON.stringify(JSON.stringify(inputs))]) {
    assert.deepEqual(parsePlan(with1(`"args": ${written}, "max_steps": 3`), { roster }).plan?.tasks[0], {
      ...{ id: "t1", specialist: "search", objective: "x", inputs, dependsOn: [], maxSteps: 3 },
    });
  }
});

Deno.test("parsePlan() says where it made a repair and how often", () => {
  const outcome = parsePlan(`Plan:\n${PLAN.replaceAll("}", ",}")}`, { roster });
  assert.deepEqual(outcome.repairs, [{ id: "trailing_comma", count: 3, at: "2:68" }]);
  const named = parsePlan(with1(`"mood": "calm", "prio": 1`), { roster });
  assert.deepEqual(named.repairs.map(({ id, subject }) => [id, subject]), [["unknown_key", "mood"], [
    "unknown_key",
    "prio",
  ]]);
});

Deno.test("parsePlan() says what is wrong and where", () => {
  const detail = (text: string) => {
    const outcome = parsePlan(text, { roster });
    return outcome.status === "reject" ? outcome.failure.detail : "";
  };
  assert.match(
    detail(`Plan:\n${PLAN.replace("}, {", "} {")}`),
    /opens at 2:1 cannot be read at 2:70: "," or "]" expected/,
  );
  assert.match(detail(PLAN.replace('"id": "t1", ', "")), /task 1 at 1:12: id: /);
  assert.match(detail(with1(`"needs": ["t2"]`)), /t1 → t2 → t1|t2 → t1 → t2/);
  assert.match(detail(PLAN.replaceAll(/"(search|math)"/g, '"\u001b[2J"')), /names \\u\{1b\}\[2J$/);
});

Deno.test("parsePlan() takes the example of the plan's own documentation as it is", () => {
  const outcome = parsePlan(PLAN_EXAMPLE, { roster: ["orders", "policy"] });
  assert.equal(outcome.status, "ok");
  assert.deepEqual(outcome.plan, JSON.parse(PLAN_EXAMPLE));
});

Deno.test("parsePlan() reads what a plan lists of the request's parts, and leaves out what is none", () => {
  const task = '"tasks": [{"id": "t1", "worker": "search", "ask": "find the price"}]';
  const read = (parts: string) => parsePlan(`{"parts": ${parts}, ${task}}`, { roster });
  assert.deepEqual(read('[{"part": "the price", "by": ["t1"]}, {"part": " ", "by": []}, 7]').plan?.parts, [
    { part: "the price", by: ["t1"] },
  ]);
  assert.deepEqual(read('[{"part": "the price", "by": ["t9"]}]').plan?.parts, [{ part: "the price", by: ["t9"] }]);
  // However it is written: with a word more, one id without a list, ids that are numbers.
  assert.deepEqual(
    read(
      '[{"part": "a", "by": [], "why": "nobody can"}, {"part": "b", "by": "t1"}, {"part": "c", "by": [1]}, {"part": "d"}]',
    ).plan?.parts,
    [{ part: "a", by: [] }, { part: "b", by: ["t1"] }, { part: "c", by: ["1"] }],
  );
  for (
    const none of ["[]", "{}", '"the price"', "null", '[{"part": "a", "by": null}]', '[{"part": "a", "by": [{}]}]']
  ) assert.equal(read(none).plan?.parts, undefined, none);
  assert.equal(read('[{"part": "the price", "by": []}]').status, "ok");
  // Tasks under any other key are a second plan.
  assert.equal(read('[{"id": "t2", "worker": "math", "ask": "add up"}]').status, "reject");
});

Deno.test("parsePlan() reads a plan's facts, and which of them a task uses", () => {
  const read = (reply: string) => parsePlan(reply, { roster });
  const facts = '"facts": {"order_id": "1", "__proto__": {"a": [1]}}';
  const one = (more: string) => `{"id": "t1", "worker": "search", "ask": "find the price"${more}}`;
  const plain = read(`{${facts}, "tasks": [${one("")}]}`);
  assert.equal(plain.status, "ok");
  assert.deepEqual(Object.entries(plain.plan?.facts ?? {}), [["order_id", "1"], ["__proto__", { a: [1] }]]);
  assert.ok(!Object.hasOwn(plain.plan?.tasks[0] ?? {}, "uses"));
  const used = read(`{"tasks": [${one(', "uses": ["__proto__"]')}], ${facts}}`);
  assert.deepEqual([used.status, used.plan?.tasks[0]?.uses], ["ok", ["__proto__"]]);
  const none = read(`{"tasks": [${one(', "uses": []')}], "facts": {}}`);
  assert.deepEqual([none.status, none.plan?.tasks[0]?.uses, none.plan?.facts], ["ok", [], {}]);
});

Deno.test("parsePlan() rejects what a task uses and the plan does not know, before anything is spent", () => {
  const using = (uses: string) =>
    parsePlan(`{"facts": {"a": 1}, "tasks": [{"id": "t1", "worker": "search", "ask": "x", "uses": ${uses}}]}`, {
      roster,
    });
  for (const uses of ['["b"]', '["a", "constructor"]', '"a"', "[1]", '{"a": 1}']) {
    const outcome = using(uses);
    assert.equal(outcome.status === "reject" && outcome.reason, "wrong_shape", uses);
  }
});

Deno.test("parsePlan() gives facts and uses no meaning where they have none", () => {
  const left = (reply: string) => {
    const { status, plan, repairs } = parsePlan(reply, { roster });
    assert.deepEqual(plan, { tasks: TASKS });
    return [status, ...repairs.map(({ id, subject }) => `${id} ${subject}`)];
  };
  assert.deepEqual(left(`{"facts": ["x"], "tasks": [${T1}, ${T2}]}`), ["repair", "unknown_key facts"]);
  assert.deepEqual(left(`{"tasks": [${T1.replace("}", ', "uses": ["search_tool"]}')}, ${T2}]}`), [
    "repair",
    "unknown_key uses",
  ]);
  // Two plans that differ in their facts are two.
  const rivals = parsePlan(`{"facts": {"a": 1}, "tasks": [${T1}]} {"facts": {"a": 2}, "tasks": [${T1}]}`, { roster });
  assert.equal(rivals.status === "reject" && rivals.reason, "rival_plans");
  // A plan among the facts is a rival, too.
  assert.equal(parsePlan(`{"facts": {"plan": ${OTHER}}, "tasks": [${T1}]}`, { roster }).status, "reject");
});
