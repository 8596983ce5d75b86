import { Refusal } from "../program.mjs";
import { startPostgres } from "../setup/postgres.mjs";

async function versionOf(url) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  const { rows } = await client
    .connect()
    .then(() => client.query("SHOW server_version"))
    .catch((error) => {
      throw new Refusal(`TEST_DATABASE_URL cannot be used (${error.message})`);
    });
  await client.end();
  return rows[0].server_version.split(" ")[0];
}

/**
 * The server that the tests run on: that of TEST_DATABASE_URL, which stays, else a throw-away one of its own.
 * Answers `{url, version, stop}`. Throws a `Refusal` when the one that was named cannot be used, or none can be had.
 */
export async function openTestServer() {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, version: await versionOf(given), stop: async () => undefined };
  if (process.platform === "win32")
    throw new Refusal("throw-away PostgreSQL servers are not for Windows; name one in TEST_DATABASE_URL");
  return startPostgres();
}
