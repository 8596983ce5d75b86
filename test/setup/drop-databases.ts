import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { readTestDatabaseUrl } from "@/service/settings";

declare module "vitest" {
  interface ProvidedContext {
    /** Part of each database's name in this run, as others may use the same server. */
    testRun: string;
  }
}

const testRun = String(process.pid);

export function setup(project: TestProject): void {
  project.provide("testRun", testRun);
}

/** Workers are shared by many test files, so databases are dropped here. */
export async function teardown(): Promise<void> {
  const url = readTestDatabaseUrl();
  if (url === undefined) return;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
    [`retaguarda_test_${testRun}_`],
  );
  for (const { datname } of rows) await admin.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  await admin.end();
}
