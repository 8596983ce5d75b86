import { createServer } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";

/** What both kinds of server here can do. */
type Listener = {
  listen: (port: number, host: string, then: () => void) => unknown;
  address: () => { port: number } | string | null;
};

/** The JSON that they give. */
const body = process.env["BENCH_ANSWER"] ?? "{}";

/** A route that does nothing: what Hono on this machine can answer at most. */
function hono(): Listener {
  const answer: unknown = JSON.parse(body);
  const app = new Hono();
  app.get("/v1/bank-accounts/balance", (c) => c.json(answer));
  return createAdaptorServer({ fetch: app.fetch });
}

/** A server that reads nothing of what it is asked: what the load generator itself can ask at most. */
function socket(): Listener {
  const reply = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return createServer({ noDelay: true }, (connection) => {
    connection.on("data", () => connection.write(reply, "latin1"));
    connection.on("error", () => connection.destroy());
  });
}

// Serves on a free port of this machine, says so as the service does, and ends on SIGTERM.
const server = process.env["BENCH_SERVER"] === "hono" ? hono() : socket();
process.once("SIGTERM", () => process.exit(0));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  process.stdout.write(`bare ready http://127.0.0.1:${port}\n`);
});
