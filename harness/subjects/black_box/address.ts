/** The address of a subject over HTTP. */
import { UsageError } from "../../cli/exit.ts";
import { nameOf } from "./command_line.ts";

/** This machine, by the names that it may be called. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1"]);

/** An address that can be a subject. */
export interface Address {
  /** Where requests go. */
  readonly url: URL;
  /** What it is called in reports. */
  readonly name: string;
}

/**
 * Reads an address.
 *
 * @throws {UsageError} If it is none on this machine.
 */
export function readAddress(text: string): Address {
  if (!URL.canParse(text)) throw new UsageError(`--subject ${JSON.stringify(text)} is no URL`);
  const url = new URL(text);
  if (url.protocol !== "http:" || !LOOPBACK.has(url.hostname) || url.username !== "" || url.password !== "") {
    throw new UsageError(
      `--subject ${JSON.stringify(text)}: a subject over HTTP is at http://localhost:PORT/… or http://127.0.0.1:PORT/…`,
    );
  }
  // By its number: no look-up may lead elsewhere.
  url.hostname = "127.0.0.1";
  return { url, name: nameOf("http", `${url.port || "80"}${url.pathname}`.replace(/\/$/, ""), [url.href]) };
}
