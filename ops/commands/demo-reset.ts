import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { z } from "zod";
import { tenantsWithHeads } from "@/lib/audit/head";
import { CommandRefusal } from "@/lib/db/command";
import { openEmbedded } from "@/lib/db/embedded";
import { readDatabaseSettings } from "@/lib/settings/env";
import { readSettings } from "@/scripts/product.mjs";
import { runProgram } from "@/scripts/program.mjs";
import { earlierStartEnds } from "@/scripts/setup/earlier-start.mjs";
import { isAsked, numbers, runCommandLine } from "./command-line";

const USAGE = `usage: npm run demo:reset [-- --postgres]
Puts the demo back to its beginning: takes away the databases of the console and of the embedded service, the service's
tenants and the signed heads of the demo's companies. Keys stay. The next start fills both anew.
It refuses while the product runs, with a real provider, and on a database that holds anybody but the demo's companies.
--postgres lets it empty the databases of DATABASE_URL and SERVICE_DATABASE_URL, too; without it those are refused.`;

type Query = (text: string) => Promise<unknown[]>;

/** `url` null: the embedded one in `folder`. */
type Place = { what: string; url: string | null; folder: string };

const Tenants = z.object({ tenants: z.array(z.object({ clientId: z.string() })) });
const Names = z.array(z.object({ tenant: z.string() }));
const Count = z.array(z.object({ count: z.coerce.number() }));

async function countOf(query: Query, text: string): Promise<number> {
  const [row] = Count.parse(await query(`select count(*)::int as count from ${text}`));
  return row?.count ?? 0;
}

const tableCount = (query: Query, name: string) => countOf(query, `pg_class where oid = to_regclass('public.${name}')`);

const TENANTS_IN = ["audit_event", "staff_membership", "bank_intent", "watch_state"]
  .map((table) => `select tenant from ${table}`)
  .join(" union ");

/** Throws `CommandRefusal` where the console's database holds others than the demo's companies and people. */
export async function requireDemo(query: Query, demo: readonly string[]): Promise<string> {
  const tables = await countOf(query, "pg_tables where schemaname = 'public'");
  if (tables === 0) return "empty";
  if ((await tableCount(query, "staff")) === 0) throw new CommandRefusal("it holds tables that are not the console's");
  const others = Names.parse(await query(TENANTS_IN)).filter(({ tenant }) => !demo.includes(tenant));
  const names = [...new Set(others.map(({ tenant }) => tenant))].toSorted();
  if (names.length > 0) throw new CommandRefusal(`it holds ${names.join(", ")}, which is no company of the demo`);
  const people = await countOf(query, "staff where not is_demo");
  const theirs = await countOf(query, "staff where is_demo");
  if (people > 0 && theirs === 0) throw new CommandRefusal("it holds people, and none of the demo's");
  return people === 0 ? "the demo's" : `the demo's, with ${numbers.format(people)} people who were added`;
}

/** As above, of the service's: its tables name the companies as their clients. */
export async function requireService(query: Query, demo: readonly string[]): Promise<string> {
  const tables = await countOf(query, "pg_tables where schemaname = 'public'");
  if (tables === 0) return "empty";
  if ((await tableCount(query, "clock_offset")) === 0) {
    throw new CommandRefusal("it holds tables that are not the service's");
  }
  const found = await query("select client_id as tenant from onboarding union select client_id from webhook_event");
  const other = Names.parse(found).find(({ tenant }) => !demo.includes(tenant));
  if (other !== undefined) throw new CommandRefusal(`it holds ${other.tenant}, which is no company of the demo`);
  return "the demo's";
}

type Check = (query: Query, demo: readonly string[]) => Promise<string>;

async function withClient<T>(url: string, use: (query: Query) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(async (text) => (await client.query(text)).rows);
  } finally {
    await client.end();
  }
}

/** Opening takes the lock, so a running program is refused. Throws `EmbeddedDatabaseError`. */
async function withEmbedded<T>(folder: string, use: (query: Query) => Promise<T>): Promise<T> {
  const { client, close } = await openEmbedded(folder);
  try {
    return await use(async (text) => (await client.query(text)).rows);
  } finally {
    await close();
  }
}

async function examine({ what, url, folder }: Place, demo: readonly string[], check: Check): Promise<string> {
  const refuse = (error: unknown): never => {
    if (error instanceof CommandRefusal) throw new CommandRefusal(`Nothing was reset: ${what}: ${error.message}.`);
    throw error;
  };
  if (url !== null) return withClient(url, (query) => check(query, demo)).catch(refuse);
  if (!existsSync(folder)) return "not there";
  return withEmbedded(folder, (query) => check(query, demo)).catch(refuse);
}

const OTHERS = "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

const NOT_OURS = "pg_namespace where nspname in ('public', 'drizzle') and not pg_has_role(nspowner, 'USAGE')";

/** A server refuses halfway else: with the working account, or where `public` is a superuser's, as PostgreSQL 14 makes it. */
async function requireOwner({ what, url }: Place): Promise<void> {
  if (url === null) return;
  const foreign = await withClient(url, (query) => countOf(query, NOT_OURS));
  if (foreign > 0) {
    throw new CommandRefusal(`Nothing was reset: ${what} is emptied by the account that owns its schemas alone.`);
  }
}

async function requireUnused({ what, url }: Place): Promise<void> {
  if (url === null) return;
  const others = await withClient(url, (query) => countOf(query, OTHERS));
  if (others > 0) {
    throw new CommandRefusal(`Nothing was reset: ${what} has ${others} other connections. Stop the programs first.`);
  }
}

async function empty({ url, folder }: Place): Promise<void> {
  if (url === null) return rmSync(folder, { recursive: true, force: true });
  await withClient(url, async (query) => {
    await query("drop schema if exists drizzle cascade");
    await query("drop schema public cascade");
    await query("create schema public");
  });
}

function demoTenants(file: string): string[] {
  if (!existsSync(file)) return [];
  return Tenants.parse(JSON.parse(readFileSync(file, "utf8"))).tenants.map(({ clientId }) => clientId);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns what it did, a line each. Throws `CommandRefusal` before anything is changed. */
export async function resetDemo(environment: Environment, { mayEmptyServers }: { mayEmptyServers: boolean }) {
  const settings = readSettings({ ...environment });
  const { dataDir, isEmbedded, hasDemoData } = settings;
  if (!isEmbedded) throw new CommandRefusal("Nothing was reset: a real provider is set, so nothing here is a demo.");
  if (!hasDemoData)
    throw new CommandRefusal("Nothing was reset: SERVICE_DEMO_DATA is false, so nothing here is a demo.");
  const { databaseUrl, migrationDatabaseUrl } = readDatabaseSettings({ ...environment });
  const serviceFolder = resolve(environment["SERVICE_DATA_DIR"] || join(dataDir, "service"));
  const console: Place = {
    what: databaseUrl === null ? "the console's database" : "the database of DATABASE_URL",
    url: migrationDatabaseUrl ?? databaseUrl,
    folder: join(dataDir, "console"),
  };
  const serviceUrl = environment["SERVICE_DATABASE_URL"] || null;
  const service: Place = {
    what: serviceUrl === null ? "the service's database" : "the database of SERVICE_DATABASE_URL",
    url: serviceUrl,
    folder: serviceFolder,
  };
  if ((console.url !== null || service.url !== null) && !mayEmptyServers) {
    const named = [console, service].flatMap(({ url, what }) => (url === null ? [] : [what])).join(" and ");
    throw new CommandRefusal(`Nothing was reset: ${named} is on a PostgreSQL server; add --postgres to empty it.`);
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await earlierStartEnds(settings);
  const demo = demoTenants(environment["SERVICE_TENANTS_FILE"] || join(serviceFolder, "tenants.json"));
  for (const place of [console, service]) await requireOwner(place);
  for (const place of [console, service]) await requireUnused(place);
  const found = [await examine(console, demo, requireDemo), await examine(service, demo, requireService)];
  const heads = resolve(environment["AUDIT_HEADS_DIR"] || join(dataDir, "audit-heads"));
  const signed = tenantsWithHeads(heads).filter((tenant) => demo.includes(tenant));
  for (const place of [console, service]) await empty(place);
  for (const tenant of signed) rmSync(join(heads, `${encodeURIComponent(tenant)}.jsonl`), { force: true });
  return [
    `Emptied ${console.what} (${found[0]}) and ${service.what} (${found[1]}).`,
    `Took away the signed heads of ${signed.length === 0 ? "nobody" : signed.join(", ")}. Keys stay.`,
    "The next npm start fills the demo anew.",
  ];
}

await runProgram(import.meta.url, () =>
  runCommandLine(USAGE, async () => {
    const lines = await resetDemo(process.env, { mayEmptyServers: isAsked("postgres") });
    for (const line of lines) globalThis.console.log(line);
  }),
);
