// Beside what is measured, each a process of its own: a bare Hono route that gives BENCH_ANSWER, or the load generator.
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { Load, measureLoad } from "./load";

const answer = process.env["BENCH_ANSWER"];

if (answer === undefined) {
  process.on("message", (message) => {
    void measureLoad(Load.parse(message)).then((measured) => process.send?.(measured));
  });
} else {
  const body: unknown = JSON.parse(answer);
  const app = new Hono();
  app.get("/v1/bank-accounts/balance", (c) => c.json(body));
  const server = createAdaptorServer({ fetch: app.fetch });
  process.once("SIGTERM", () => process.exit(0));
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    process.stdout.write(`bare ready http://127.0.0.1:${port}\n`);
  });
}
