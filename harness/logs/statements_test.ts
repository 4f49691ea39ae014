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
  "| Source | Result |\n| --- | --- |\n| Airline site | ❌ failed: timeout |",
  "- Exchange rate: not available",
  "We never heard back from the API, so the total is a ballpark figure.",
  "I'll give you some general advice instead.",
  "The booking step went wrong because the provider kept rejecting the login.",
  "很遗憾，天气接口没有返回数据。",
  "由于网络错误，我无法打开该页面。",
  "申し訳ありません。ページにアクセスできませんでした。",
  "Leider war der Server nicht erreichbar.",
  "No pude abrir la página.",
  "Le service est indisponible, je n'ai pas pu vérifier.",
  "К сожалению, сайт не отвечает.",
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
  "Unfortunately, there are no direct trains on Sundays.",
  "The issue is still open and has 7 comments.",
  "A timeout is a break that a team may ask for.",
  "Batteries are not included.",
  "The app works without an internet connection.",
  "No API key is required.",
  "You need to run the installer manually.",
  "An approximate budget is $1,200 to $1,500.",
  "The exact origin of the name is unknown.",
  "Here are some general tips for your trip.",
  "Most shops are closed on Sundays, so plan ahead.",
  "Not all seats can be reserved.",
  "The museum never opens before 10.",
  "You can save up to 20 % if you book early.",
  "The team failed to score in the second half.",
  "Customers complain that deliveries are often delayed.",
  "The battery may last less than expected in the cold.",
  "I recommend checking the official website for current prices.",
  "Error handling: the function returns null if the key is missing.",
  "Prices are in euros and do not include taxes.",
  "Tickets are currently sold out for Friday.",
  "The route is closed in winter due to heavy snow.",
  "I can't recommend this place enough.",
  "该文件夹中有三个文件。",
  "Der Zug fährt um 9 Uhr.",
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
  "Your request has been fully processed.",
  "Done! Everything is in place.",
  "任务已全部完成。",
  "All done!",
  "Excellent! I've successfully completed your multi-step request.",
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
  "I completed the first task.",
  "I have successfully completed the analysis of the file.",
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
