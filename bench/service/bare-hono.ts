import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { serve } from "./serve";

// A route that does nothing: what Hono on this machine can answer at most. `BENCH_ANSWER` is the JSON it gives.
const answer: unknown = JSON.parse(process.env["BENCH_ANSWER"] ?? "{}");
const app = new Hono();
app.get("/v1/bank-accounts/balance", (c) => c.json(answer));
serve("bare hono", createAdaptorServer({ fetch: app.fetch }));
