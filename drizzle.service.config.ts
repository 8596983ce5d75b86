import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./service/**/schema.ts",
  out: "./service/store/migrations",
});
