import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: ["./lib/*/schema.ts", "./lib/store/lease.ts", "./lib/store/canary.ts"],
  out: "./lib/store/migrations",
});
