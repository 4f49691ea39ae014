/** What HTTP calls its failures (RFC 9110 §15), as one alternative of a regular expression after the other. */
export const REASON = "bad request|unauthori[sz]ed|forbidden|access denied|(?:page )?not found|method not allowed|" +
  "request time-?out|too many requests|internal (?:server )?error|not implemented|bad gateway|" +
  "service (?:temporarily )?unavailable|gateway time-?out";
