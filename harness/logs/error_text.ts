/** Texts that are nothing but an error, by what tools, clients and programs write when something breaks. */

/** Longest text that is taken for an error's: those of tools are short, and a document that is about one is not. */
export const MAX_ERROR_TEXT = 600;
/** Longest text that is taken for one because of what it says, and not of how it begins. */
const MAX_TROUBLE = 400;

/** How sure it is that a text is an error: `plain` by its form; `likely` by its words, so that it may be data. */
export type Sureness = "plain" | "likely";

/** What an error says, behind the word. "Error: the film, a review" has none of it. */
const CUE =
  "time-?out|timed out|not found|no such|refused|denied|invalid|required|exceed|fail(?:ed|ure)|unable|cannot|could not|can't|couldn't|" +
  "anomaly|too (?:many|quickly|large|long)|unavailable|unauthori[sz]ed|forbidden|not (?:defined|supported|allowed|exist|available|permitted|installed|reachable|connected|initiali[sz]ed|authenticated|authori[sz]ed|configured|running|enabled)|" +
  "does not|doesn't|expired|limit|network|status(?: code)?|exception|missing|traceback|net::err_|\\berr_[a-z]+|[45]\\d\\d\\b|api key|not a |no (?:canvas|session|connection|response|permission)|" +
  "closed|reset|aborted|wrong|unexpected|internal|credentials|token|disabled|blocked|rejected|unreachable|undefined|null|nonetype|has no attribute";

/** What HTTP calls its failures (RFC 9110 §15). */
const REASON =
  "bad request|unauthori[sz]ed|forbidden|not found|method not allowed|request time-?out|too many requests|internal server error|" +
  "not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|payment required|gone|conflict|unprocessable (?:entity|content)";

/** What programs do, and people of whom somebody writes hardly ever. */
const TECHNICAL =
  "access|authenticat|authoriz|call|click|complet|connect|convert|creat|decod|delet|determin|display|download|establish|execut|extract|fetch|find|found|generat|get|handl|import|initiali|load|locat|match|navigat|obtain|open|pars|perform|process|queri|query|reach|read|render|resolv|retriev|run|sav|search|send|sent|start|updat|upload|us|validat|verif|writ";

const PLAIN: readonly RegExp[] = [
  new RegExp(
    `^(?:an? )?(?:[\\w-]+ ){0,3}?(?:error|exception)\\b[^\\n]{0,80}?(?:[:\\-–]|occurred)[^]*?(?:${CUE})`,
    "i",
  ),
  /^(?:an? )?(?:unexpected |unknown |internal |server |unhandled |fatal )*(?:error|exception)s? (?:has |have )?(?:occurred|happened)\b/i,
  /^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Timeout)\b(?:[ :(]|$)/,
  /^error (?:executing|calling|invoking|running|fetching|in|while|during|when|processing|downloading|reading|getting|connecting|loading|opening|creating|sending|retrieving)\b/i,
  /^mcp error -?\d+/i,
  /^traceback \(most recent call last\)/i,
  /^(?:the )?(?:tool(?: call)?|request|operation|connection|call|query|command|execution|server|api|search|fetch|navigation|job|task|login|authentication)\b[^\n]{0,60}?\b(?:timed out|failed|was refused|refused|aborted|(?:was )?cancell?ed|unavailable|is not defined|is not available|not responding|was rejected|not found)\b/i,
  /^(?:failed|unable|was unable) (?:to )?[a-z]+ [^\n?]{2,400}$/i,
  new RegExp(`^(?:i )?(?:could not|couldn't|cannot|can not|can't) (?:be )?(?:${TECHNICAL})[^\\n?]{2,400}$`, "i"),
  /^(?:(?:api )?rate limit|quota)\b[^\n]{0,40}\b(?:exceeded|reached|hit)/i,
  /^(?:too many requests|access denied|permission denied|unauthori[sz]ed|forbidden|service unavailable|bad gateway|gateway time-?out|internal server error|connection (?:error|refused|reset|timed out|timeout))\b[^\n]{0,200}$/i,
  new RegExp(`^(?:http(?:/\\d(?:\\.\\d)?)? ?(?:error |status )?)?[45]\\d\\d[ :.-]+(?:${REASON})`, "i"),
  /^(?:input|output|schema|\d+)? ?validation errors?\b/i,
  /^(?:unknown|invalid|no such|undefined) (?:tool|server|method|command|function|argument|parameter)s?\b/i,
  /^no such tool\b|^tool ['"`]?[\w.-]+['"`]? (?:is )?(?:not found|does not exist|is unknown|was not found)/i,
  /^no results (?:were )?found[^]{0,200}\b(?:bot detection|rate limit|try again|blocked)/i,
  /^missing (?:required |mandatory )?(?:parameter|argument|field|property|input|key)s?\b/i,
  /^(?:getaddrinfo|connect|read|write|spawn|open|stat|mkdir|scandir) E[A-Z]{4,}\b|^E(?:NO|CON|TIME|ACC|PERM|EXIST|ISDIR|PIPE|ADDR|HOST|NET|ROFS|MFILE|AI_|BUSY|INVAL|SRCH|NAMETOO)[A-Z_]*\b/,
  /^\[errno -?\d+\]|^\[ssl: /i,
  /^(?:page\.\w+|browser\w*\.\w+|locator\.\w+): /i,
  /^net::err_/i,
  /^error: [^\n]{0,80}\bE[A-Z]{4,}\b/i,
  /^(?:socket hang up|fetch failed)$/i,
  /^<(?:error|tool_use_error|tool_error|exception)>/i,
  /^(?:<\?xml[^>]*\?>\s*)?<error\b/i,
  /^(?:(?:network|server|connection|api|client|https?|database|internal|auth\w*|proxy|dns|ssl|tls|socket|gateway|runtime|syntax|parse|parsing|upstream|protocol|execution|query|configuration|response|timeout|unexpected|unknown|fatal) )+error(?:[:.!(\n]|$| -| (?:occurred|while|when|from|has|was|received))/i,
  /^error (?:code )?[:#]?\s*\d{3,5}\b/i,
  /^invalid (?:[\w-]+ ){0,4}?(?:url|uri|format|date|value|type|id|key|token|name|path|query|request|response|syntax|input|address|symbol|code|range|option|state|credentials?|session|parameters?|arguments?)\b/i,
  /^(?:success|ok): false\b/i,
  /^\{\s*'(?:error|errors|exception|err)'\s*:\s*(?!none|false|\[\]|''|null)/i,
  /^(?:max(?:imum)? (?:number of )?retries|retry limit) (?:exceeded|reached)/i,
  /^(?:target (?:page|closed)|protocol error|execution context was destroyed|page crashed|browser (?:has been )?closed|navigation (?:failed|timeout))/i,
  /^the user (?:doesn't|does not|did not|didn't) (?:want|wish|allow|approve|permit)/i,
  /^(?:the )?(?:command|process|program|script|shell)\b[^\n]{0,80}?\b(?:exited|returned|terminated|ended|finished|exit)\b[^\n]{0,20}?(?:\bnon-?zero\b|\b(?:status|code):? -?[1-9])/i,
];

/** What was to be done, as somebody says who has not done it. */
const ACTED =
  "processed|sent|delivered|paid|charged|made|created|saved|written|updated|deleted|removed|booked|reserved|ordered|placed|refunded|" +
  "cancell?ed|submitted|published|posted|uploaded|transferred|scheduled|completed|executed|performed|accepted|approved|authori[sz]ed|applied|added|stored|successful";

/** What comes back of an act that was not done. It begins so: what is said behind a success is of something else. */
const UNDONE: readonly RegExp[] = [
  /^(?:failed|failure|declined|rejected|refused|denied|aborted|unsuccessful|bounced|undelivered|undeliverable|not ok)(?:[.!]*$|: (?!\d))/i,
  new RegExp(`^not (?:${ACTED})\\b(?! yet)`, "i"),
  /^(?:(?:the|your|this) )?(?:[\w'-]+ ){1,4}(?:(?:was|were|is|has been|got) )?(?:declined|rejected|refused|denied|failed|bounced|unsuccessful)(?:[.!:;,]|$| (?:by|because|due|with|for)\b)/i,
  new RegExp(
    `^(?:(?:the|your|this) )?(?:[\\w'-]+ ){1,4}(?:was|were|is|has|have|had|could|can)(?: not|n't) (?:be |been )?(?:${ACTED})\\b`,
    "i",
  ),
  new RegExp(`^(?:[\\w' -]{1,60}[;:,.] )?no (?:[\\w-]+ ){1,3}(?:was|were|has been|have been) (?:${ACTED})\\b`, "i"),
  /^(?:(?:i am|i'm|we are|we're) )?sorry\b[,.;:!]* (?:but )?(?:i|we) (?:cannot|can't|can not|could not|couldn't|am not able|are not able|am unable|are unable|won't|will not)\b/i,
  /^(?:the |your |this )?[\w'-]+(?: [\w'-]+){0,2} (?:has |is )?expired[.!]*$/i,
];

/** What was done all the same. */
const YET_DONE = new RegExp(
  "(?<!\\bsorry[,.;:!]* )\\b(?:but|however|although|successfully|succeeded|anyway|instead)\\b|" +
    "[,;.] (?!no\\b)(?!(?:[^,;.]{0,60}\\b)?(?:not|n't)\\b)[^,;.]{0,40}\\b(?:placed|sent|paid|booked|completed|saved|created|charged)\\b",
  "i",
);

/** Whether a text says, at its beginning, that an act was not done. Of results of acts alone. */
export function isUndoneText(text: string): boolean {
  return text.length <= MAX_TROUBLE && !YET_DONE.test(text) && UNDONE.some((pattern) => pattern.test(text));
}

/** What somebody says whose service is broken, or who is not let in. Of short texts alone. */
const TROUBLE: readonly RegExp[] = [
  /\b(?:not found|no such|does(?: not|n't) exist|do(?: not|n't) exist|cannot be found|can't be found|could not be found)\b/i,
  /\b(?:timed out|time-?out (?:error|exceeded|after|of|while)|(?:due to|by|because of) (?:an? )?(?:[\w-]+ ){0,2}time-?out)\b/i,
  /\b(?:access|permission|authori[sz]ation|request|connection|login|authentication) (?:was |is |has been |to [^\n]{1,60} )?(?:denied|refused|rejected|forbidden|failed)\b/i,
  /\b(?:unauthori[sz]ed|unauthenticated|not authenticated|not authori[sz]ed|not logged in|bad credentials|insufficient (?:permissions?|privileges?|scopes?|funds|credits?)|missing[_ ]scope|invalid_grant|not_authed|channel_not_found)\b/i,
  /\b(?:invalid|incorrect|wrong|expired|unknown|missing|no) (?:or (?:missing|expired|invalid) )?(?:api|access|session|auth\w*|bearer|oauth|refresh|login|request)[ _-]?(?:keys?|tokens?|credentials?|ids?|sessions?|parameters?|url|login|name)?\b/i,
  /\b(?:do(?:es)? not|don't|doesn't) have (?:the )?(?:required |necessary |sufficient )?(?:access|permissions?|rights?)\b/i,
  /\b(?:rate|quota|usage|request|api call|credits?|plan|frequency)\b[^.\n]{0,60}\b(?:exceeded|limit(?:ed|s)?|reached|exhausted|ran out|run out|used up)\b|\bexceeded? [^.\n]{0,40}\b(?:quota|limit|maximum|rate|allowance)|\btoo many requests\b|\bratelimit(?:ed)?\b|\brate[- ]limited\b|\brun out of \w+|\brate limit is \d/i,
  /\b(?:has|have|is|was) (?:been )?(?:expired|revoked|suspended|deactivated|terminated)\b|\b(?:expired|revoked)\b[^.\n]{0,20}$/i,
  /\b(?:temporarily|currently|service|is|server|video|page|site|content|backend) (?:\w+ )?(?:unavailable|unreachable|offline|overloaded|down)\b/i,
  /\b(?:something|it) (?:has )?(?:went|gone|go) wrong\b/i,
  new RegExp(
    `\\b(?:could not|couldn't|cannot|can't|can not|unable to|failed to|was not able to|not possible to) (?:be )?(?:\\w+ly )?(?:${TECHNICAL})`,
    "i",
  ),
  /\b(?:is|are|was|were|been|be) (?:currently |temporarily |being )?(?:disabled|blocked|blocking|not (?:allowed|permitted|supported|available|enabled|configured|defined|reachable|running|connected|initiali[sz]ed|accessible))\b/i,
  /\bconnection (?:was )?(?:refused|reset|closed|error|failed|timed out|aborted|lost|dropped)\b|\b(?:disconnect\/reset|connection attempts failed|socket hang up|connect error|connection termination)\b/i,
  /\b(?:field required|required (?:parameter|argument|field|property)|is (?:a )?required(?: property)?)\b/i,
  /\bE(?:NO|CON|TIME|ACC|PERM|EXI|ISD|PIP|ADDR|HOST|NET|ROF|MFI|AI_|BUSY)[A-Z_]{2,}\b|\bnet::ERR_|\bERR_[A-Z_]{4,}\b/,
  /\b(?:status|code|http|http error|response|returned|error)(?: code)?:? ?\(?[45]\d\d\b/i,
  /(?:^|[\s(:])(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Timeout)\b(?:\(|:|$)/,
  /\b(?:automated requests?|bot detection|security check|captcha|are a (?:human|robot)|unusual traffic|robots\.txt)\b/i,
  /\b(?:aborted|cancell?ed|canceled|rejected|declined|interrupted|terminated) (?:by|due to|because|before)\b|\bwas (?:rejected|declined|aborted)\b/i,
  /\bno (?:response|answer|reply) (?:was )?(?:from|received|within)\b/i,
  /\bexceeds? (?:the )?(?:maximum|limit|allowed|size)\b/i,
  /\b(?:must (?:provide|specify|be (?:an?|one of|between|greater|less|at (?:least|most)|in|of type|set|provided|specified|valid|positive|non-?\w+)\b)|please (?:provide|specify|supply|enter|authenticate|log ?in|sign ?in)|expected [\w'"]+,? (?:but )?(?:received|got|found))\b/i,
  /\b(?:login|sign-?in|authentication|authorization|subscription|api key|payment) (?:is )?(?:required|needed|necessary)\b|\bsign in to continue\b/i,
  /\b(?:unsupported|not implemented|not a valid|is not a (?:directory|file|valid)|not recogni[sz]ed|deprecated and)\b|\bno such (?:column|table|file|tool|host)\b/i,
  /^(?:[A-Z]+_)*(?:INVALID|DENIED|LIMIT|ERROR|FAIL(?:ED|URE)?|EXPIRED|FORBIDDEN|UNAUTH\w*|QUOTA|EXCEED\w*|OVER)(?:_[A-Z]+)*$/,
  /^(?:oops|whoops|uh-oh)\b[,!.]* (?:something|an?|there|we|that|page|this)\b/i,
  /\b(?:isn't|is not|aren't) (?:currently )?(?:available|accessible|reachable) (?:right now|at (?:the|this) (?:moment|time)|in your|to you)\b/i,
  /^error: (?!the\b|an?\b)/i,
  /^error [a-z]+ing\b(?<!\bhandling) [^:\n]{1,80}: /i,
  /^\[[A-Z_]*(?:ERROR|FAIL\w*|EXCEPTION|DENIED|INVALID|UNAVAILABLE|TIMEOUT)[A-Z_]*\]/,
  /^(?:hata|fehler|erreur|errore|erro|błąd|fel|fout|hiba|lỗi|ошибка|помилка|エラー|오류|错误|錯誤)\s*[:：]/i,
  /^[\w.'-]+(?: [\w.'-]+){0,5} failed(?:[:.!]|$| (?:with|due|because|after|for|to)\b)/i,
  /^(?:unknown|unrecogni[sz]ed) [\w -]{2,30}[:'"`(]/i,
  /\bnot (?:supported|allowed|permitted|implemented|recogni[sz]ed|authenticated|connected|initiali[sz]ed|configured|authori[sz]ed)[.!]?$/i,
  /^(?:[a-z]+_)+(?:error|failed|denied|expired|invalid|not_found|required|exceeded|limited|timeout)$|^(?:not|no|invalid|missing|unknown|expired)_[a-z_]+$/,
  /^no (?:response|answer|output|reply|content)s? (?:was |were |is )?(?:generated|received|returned|produced|available|given)/i,
  /^no (?:[\w-]+ ){0,3}(?:id|key|token|profile|project|session|connection|account|credentials?|browser|page|window|context|client|document)s?\b(?: (?:is|was|has been))?(?:[.,:]| (?:set|provided|configured|specified|open|given|selected|active|found))/i,
  /\bcircuit breaker\b|\bout of (?:memory|disk|credits?|quota)\b|\bno space left\b|\bno route to host\b|\bread-only file system\b|\bcertificate verify failed\b|\bcommand failed\b/i,
  /\bsymbol may be delisted\b|\bno data (?:was |were )?(?:found|available|returned)\b/i,
  /(?:失败|超时|错误|异常|无法|不存在|没有权限|无权限|权限不足|系统繁忙|服务器繁忙|稍后(?:再|重)试|上限|被拒绝|未找到|找不到|不可用|未授权|过于频繁)/,
  /(?:失敗|エラー|タイムアウト|できません|見つかりません|拒否)/,
  /(?<!\p{L})(?:fehlgeschlagen|nicht gefunden|verweigert|ungültig\p{L}*|nicht erreichbar|zeitüberschreitung|no encontrad[oa]|acceso denegado|no disponible|introuvable|accès refusé|indisponible|échoué|não encontrad[oa])(?!\p{L})|(?:ошибка|не найден|недоступ|отказано|превышен)/iu,
];

/** What went well, whatever is said behind it. */
const SUCCESS =
  /^(?:✅|✓|success(?:ful|fully)?\b|ok\b|done\b|(?:file |message |email |event )?(?:created|saved|written|wrote|sent|updated|completed|finished|added|uploaded|stored)\b|found \d*[1-9])/iu;

/** Tools whose results are about errors, tests and states: words of trouble there are what was asked for. */
const INSPECTOR =
  /(?:^|[._-])(?:logs?|tests?|lint|status|health|alerts?|issues?|incidents?|audit|diagnos\w*|disruptions?|pods?|build|jobs?|events?|history|messages?|mails?|notes?|valid\w*|check|checks|grep|translate|notifications?|comments?|reviews?|stories|news|analy[sz]e\w*)(?:$|[._-])/i;

/** Whether a text is nothing but an error, by its form. Markup before it must be gone: see {@linkcode bareText}. */
export function isErrorText(text: string): boolean {
  return text !== "" && text.length <= MAX_ERROR_TEXT && PLAIN.some((pattern) => pattern.test(text));
}

/** Whether a short text speaks of trouble and of nothing else that is seen; `undefined` if not. */
export function isTroubleText(text: string): Sureness | undefined {
  if (isErrorText(text)) return "plain";
  if (text === "" || text.length > MAX_TROUBLE) return undefined;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  // Lists, tables and records are data, whatever is in them.
  if (lines.length > 5 || lines.some((line) => /^\s*(?:\d+[.)]|[-*•|]|\[(?:FILE|DIR)\])\s/.test(line))) {
    return undefined;
  }
  const [first = ""] = lines;
  if (SUCCESS.test(first)) return undefined;
  // What a program prints behind its first lines is what it was run for.
  const told = lines.length <= 2 ? text : first;
  return TROUBLE.some((pattern) => pattern.test(told)) ? "likely" : undefined;
}

/** Whether trouble is what the tool looks for. */
export const isInspector = (tool: string): boolean => INSPECTOR.test(tool);

/** A text without what stands before an error's own words: marks, quotes, headings, tags. */
export function bareText(whole: string): string {
  return whole.trim().replace(/^contents of \S{1,2000}:\s*/i, "").replace(/^(?:[#>*\s"'`]|❌|⚠️?|🚫|⛔|✗|✖)+/u, "")
    .replace(/^error[*\s]*\n\s*/i, "")
    .replace(/^\[(?:error|fatal|critical)\][:\s]*/i, "error: ");
}
