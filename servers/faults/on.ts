/** Which replies a fault of bytes or of replies is about. */
import { z } from "zod";

const WORDS = "Which requests it strikes: calls of tools, the list of tools, or the beginning of the session.";

/** The parameter `on` of a fault that can strike any request. */
export const ON = z.enum(["call", "list", "initialize"]).default("call").describe(WORDS);

/** The phase of a fault that has the parameter {@linkcode ON}. */
export const onPhase = <P extends "call" | "list" | "initialize" | "stream">({ on }: { readonly on: P }): P => on;

/** The parameter `on` of a fault that can also strike every line that the server sends. */
export const ON_ANY = z.enum(["call", "list", "initialize", "stream"]).default("call").describe(
  "Which lines it strikes: replies to calls, to the list of tools, to initialize, or all that the server sends.",
);
