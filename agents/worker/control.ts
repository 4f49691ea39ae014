/** Tools that are no server's: they act on the loop itself. */
import type { ToolCall, ToolSpec } from "../models/model.ts";

/** What came of a control. */
export interface ControlResult {
  /** What the model is told. */
  readonly text: string;
  /** Whether it was refused. */
  readonly isError?: boolean;
  /** Whether the worker is done after this turn; its note is then the turn's text. */
  readonly ends?: boolean;
}

/**
 * A tool that the worker itself carries out. Controls of a turn are taken one after the other, once all its ordinary
 * calls have ended: whatever waits for approval comes before whatever hands over.
 */
export interface Control {
  /** How it is advertised; its name is no server's tool. */
  readonly spec: ToolSpec;
  /** Carries it out. Does not throw. */
  take(call: ToolCall, at: { readonly step: number; readonly span: string }): ControlResult;
}
