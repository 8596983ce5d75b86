import { Client } from "pg";
import { readTestDatabaseUrl } from "@/service/settings";

/** The tests leave their databases on the server of TEST_DATABASE_URL to this: workers are shared by many files. */
export async function teardown(): Promise<void> {
  const url = readTestDatabaseUrl();
  if (url === undefined) return;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE datname ~ '^retaguarda_test_'",
  );
  for (const { datname } of rows) await admin.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  await admin.end();
}
