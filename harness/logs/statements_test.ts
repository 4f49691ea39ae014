import assert from "node:assert/strict";
import { readFinal } from "./statements.ts";

/** Sentences that tell of something that came to nothing. */
const TELLING = [
  "I encountered some technical difficulties with the Airbnb search, but here's some general guidance.",
  "Since the YouTube transcript tool is experiencing issues, I'll summarise what I know.",
  "The weather API returned an error, so the forecast below is typical for July.",
  "It appears that the file conversion tool isn't available in this environment.",
  "Note: I wasn't able to verify these prices.",
  "While I couldn't directly access the Google Maps data, the route is well known.",
  "The system doesn't have a direct Excel creation tool, so I created a CSV file.",
  "The search engine is currently blocking requests.",
  "I was only able to retrieve 2 of the 5 papers.",
  "The website requires authentication.",
  "There seems to be an issue with the database connection.",
  "Due to network restrictions, the page failed to load.",
  "None of the searches returned relevant results.",
  "Due to rate limits on the search service, these figures are estimates.",
  "The tool call timed out.",
  "My requests were blocked by robots.txt.",
  "I don't have direct access to real-time stock prices.",
  "The PDF couldn't be opened.",
  "It looks like the stock data service is down.",
  "Creating the PowerPoint file ran into an error.",
  "The repository could not be cloned.",
  "I'm unable to directly edit images.",
  "Unfortunately, the available tools have limitations.",
  "The figures are placeholder values.",
  "I’m having trouble connecting to the flight database right now.",
  "The recommendations are based on my general knowledge.",
  "- **Charts**: the chart server was not reachable",
  "I wasn't able to save the file.",
  "The email has not been sent.",
  "The server rejected my request.",
  "I tried to look up the price, but got nowhere.",
  "The stock service needs an API key.",
  "The conversion did not succeed: the converter reported an unsupported format.",
];

/** Sentences that do not, whatever words are in them. */
const SILENT = [
  "Perfect! I've successfully created the file.",
  "The script handles errors gracefully and retries failed requests.",
  "Note that prices may vary depending on availability.",
  "No prior experience is required.",
  "This hotel has limited availability, so book soon.",
  "The endpoint returns 401 for unauthenticated requests.",
  "If the search fails, try another keyword.",
  "Includes error handling for network issues.",
  "Let me know if you have any issues with the file!",
  "Netflix requires a subscription.",
  "**Format**: CSV format (can be opened in Excel)",
  "The prices are based on current market ranges.",
  "First class: no tickets",
  "Troubleshooting: check the connection errors in the log.",
  "Link monsters have no DEF.",
  "The database now contains 14 tables.",
  "All of them ship to Singapore.",
  "Make sure the server is not running before you start.",
];

Deno.test("readFinal() finds sentences that tell of something that came to nothing", () => {
  const missed = TELLING.filter((text) => readFinal(text, ["db.query"]).failures.length === 0);
  assert.deepEqual(missed, []);
});

Deno.test("readFinal() takes no other sentence for one", () => {
  const wrong = SILENT.filter((text) => readFinal(text, ["db.query"]).failures.length > 0);
  assert.deepEqual(wrong, []);
});

/** Sentences that call the whole task done. */
const WHOLE = [
  "I have successfully completed your request.",
  "All tasks have been completed successfully!",
  "✅ Task completed successfully!",
  "I've completed all the requested tasks.",
  "I've finished everything you asked for.",
  "Everything you requested has been done.",
  "Your request has been fulfilled.",
  "All three files have been created.",
  "Both steps are done.",
  "Everything is verified.",
  "The task is now complete and you can find the result in the folder.",
];
const PARTS = [
  "I've successfully created the file.",
  "I completed the first step.",
  "I have completed your request except for the map.",
  "Once the task is completed, restart the server.",
  "I could not complete your request.",
  "Everything is verified but the price.",
  "Here is a complete list of files.",
  "Almost all tasks have been completed.",
  "The middleware is production-ready.",
  "However, not everything was completed.",
];

Deno.test("readFinal() finds sentences that call all of it done, and no others", () => {
  assert.deepEqual(WHOLE.filter((text) => readFinal(text, []).whole.length === 0), []);
  assert.deepEqual(PARTS.filter((text) => readFinal(text, []).whole.length > 0), []);
});

Deno.test("readFinal() sees an answer that is nothing but an error", () => {
  for (const text of ["Error: Connection error.", "Request timed out", " error\n"]) {
    assert.ok(readFinal(text, []).isError, text);
  }
  for (const text of ["", "Errors: none.\nAll good.", "The error is in line 3.", "Terror in the deep"]) {
    assert.ok(!readFinal(text, []).isError, text);
  }
});

Deno.test("readFinal() reads no code, and no more of a text than a bound", () => {
  assert.deepEqual(readFinal("```\nI could not read the file.\n```", []).failures, []);
  assert.deepEqual(readFinal(`${"x ".repeat(20_000)}\nI could not read the file.`, []).failures, []);
  const started = "a".repeat(100_000);
  assert.deepEqual(readFinal(`${started} due to ${"x ".repeat(5000)}`, []).failures, []);
});
