import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: ["./lib/db/tables/*.ts", "./lib/db/lease.ts", "./lib/db/canary.ts"],
  out: "./lib/db/migrations",
});
