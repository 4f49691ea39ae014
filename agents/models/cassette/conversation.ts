/** What a model was asked, in parts that can be compared and are stored once each. */
import { canonicalJson, type Redactor, sha256 } from "../../../core/mod.ts";
import type { Message, ModelRequest } from "../model.ts";

/** One part of what was asked. */
export interface Part {
  /** Digest of role and text. */
  readonly id: string;
  /** `system`, `tools`, or the role of a message. */
  readonly role: "system" | "tools" | Message["role"];
  /** What it says, without secrets; canonical JSON where it is more than a text. */
  readonly text: string;
}

/** Digits of a part's id: a recording has some thousands of parts. */
const ID_DIGITS = 20;

/**
 * A request in parts: the prompt, the tools, then each message. Nothing that differs from run to run is in it, and no
 * secret; what the reply may cost is not either, since it follows from the turns before.
 */
export function conversationOf({ system, tools, messages }: ModelRequest, redactor: Redactor): Part[] {
  const part = (role: Part["role"], said: string): Part => {
    const text = redactor.text(said);
    return { id: sha256(`${role}\n${text}`).slice(0, ID_DIGITS), role, text };
  };
  return [
    part("system", system),
    part(
      "tools",
      canonicalJson(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
    ),
    ...messages.map((message) => part(message.role, saidIn(message))),
  ];
}

function saidIn(message: Message): string {
  switch (message.role) {
    case "user":
      return message.text;
    case "assistant":
      return canonicalJson({ text: message.text, calls: message.calls });
    case "tool": {
      const { callId, name, text, isError } = message;
      return canonicalJson({ callId, name, text, isError });
    }
  }
}
