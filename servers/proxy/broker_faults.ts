/**
 * Three faults of what a server touches while it works: they strike the checks that Deno's permission broker is asked for,
 * in the middle of a call of a server that knows nothing of them. Usable in `bench proxy --broker` alone.
 */
import { z } from "zod";
import { duration } from "../faults/duration.ts";
import { defineFault, type Fault, type LinkCircumstances } from "../faults/fault.ts";
import { BrokerBoard, type BrokerEffect } from "./broker_board.ts";
import { ACCESSES } from "./broker_rules.ts";

const access = z.enum(["all", ...ACCESSES]).default("all").describe("Which kind of access.");
const value = z.string().default("").describe("What the path, host or variable must contain. Empty: any.");
const after = z.int().nonnegative().default(0).describe("How many accesses of the call that fit are let pass first.");
const lanes = {
  sim: "there is no other process whose permissions could be asked for",
  wire: "only around a server under Deno, by bench proxy --broker",
} as const;

/**
 * The faults, putting their effects on a board.
 *
 * @param board Where the broker looks.
 */
export function brokerFaults(board: BrokerBoard): readonly Fault[] {
  const put = ({ tool, call }: LinkCircumstances, fault: string, effect: Omit<BrokerEffect, "fault">): void => {
    if (tool !== undefined) board.put({ tool, call }, { fault, ...effect });
  };
  return [
    defineFault({
      id: "broker_deny",
      layer: "result",
      visibility: "explicit",
      summary: "The server is denied access to a file, host or variable in the middle of a call.",
      correct: "Take the tool's error as what it is, do not repeat what may have been half done, and disclose it.",
      outcome: "tool_error",
      lanes,
      example: "- { fault: broker_deny, at: files.write_file, access: write, reason: disk is read-only }",
      params: z.strictObject({
        access,
        value,
        after,
        reason: z.string().min(1).default("access was revoked").describe("What the server is told."),
      }),
      hooks: {
        request(_message, { params, ...ctx }) {
          put(ctx, "broker_deny", { ...params, does: { kind: "deny", reason: params.reason } });
        },
      },
    }),
    defineFault({
      id: "broker_delay",
      layer: "transport",
      visibility: "implicit",
      summary: "Each access of the server to a file, host or variable is slow: a tired disk.",
      correct: "Overlap the wait with other work; past its deadline the call has timed out.",
      outcome: "ok",
      lanes,
      example: "- { fault: broker_delay, at: files.read_file, access: read, ms: 200 }",
      params: z.strictObject({
        access,
        value,
        after,
        ms: duration.default(400).describe("The delay of each access, in milliseconds."),
      }),
      hooks: {
        request(_message, { params, ...ctx }) {
          put(ctx, "broker_delay", { ...params, does: { kind: "delay", ms: params.ms } });
        },
      },
    }),
    defineFault({
      id: "broker_cut",
      layer: "transport",
      visibility: "explicit",
      summary: "The server dies in the middle of a call, at an access to a file, host or variable.",
      correct:
        "Fail every call in flight at once, do not repeat one that may have acted, and disclose the lost server.",
      outcome: "server_down",
      lanes,
      lasts: "permanent",
      example: "- { fault: broker_cut, at: files.write_file, access: write, after: 1 }",
      params: z.strictObject({ access, value, after }),
      hooks: {
        request(_message, { params, ...ctx }) {
          put(ctx, "broker_cut", { ...params, does: { kind: "cut" } });
        },
      },
    }),
  ];
}

/** The same for catalogues and help, with a board that nobody looks at. */
export const BROKER_FAULTS: readonly Fault[] = brokerFaults(new BrokerBoard());
