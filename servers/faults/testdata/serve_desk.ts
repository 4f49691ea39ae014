/** The desk over stdio, for the tests. */
import { RealClock, stdioConnection } from "../../../core/mod.ts";
import { FixtureServer } from "../../fixture_server.ts";
import { desk } from "./desk.ts";

const server = new FixtureServer(desk, stdioConnection());
server.bind({ clock: new RealClock() });
await server.start();
await server.closed;
