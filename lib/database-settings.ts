import { z } from "zod";
import { isLoopback } from "@/lib/loopback";
import { SettingError } from "@/lib/setting";

const VERIFIED = "names a server elsewhere, whose identity must be checked: end it with ?sslmode=verify-full";

/** On this machine, or over TLS with the server's certificate checked: what is sealed is not all that goes over the wire. */
function isPrivate(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { hostname, searchParams } = new URL(text);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  const isHere = host === "" || host.startsWith("/") || isLoopback(host) || host === "::1";
  return isHere || searchParams.getAll("sslmode").join() === "verify-full";
}

const PostgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: "must start with postgresql://", abort: true })
  .refine(isPrivate, { error: VERIFIED });

export const DATABASE_SETTINGS = {
  DATABASE_URL: PostgresUrl.optional(),
  MIGRATION_DATABASE_URL: PostgresUrl.optional(),
  DATA_DIR: z.string().min(1).default(".data"),
};

/** Where the store is: a server, or the embedded database under `dataDir`. */
export type DatabaseSettings = {
  databaseUrl: string | null;
  /** The account that owns the tables, where the console works with one that may not change them; null where one does both. */
  migrationDatabaseUrl: string | null;
};

type Given = { DATABASE_URL?: string | undefined; MIGRATION_DATABASE_URL?: string | undefined };

export function databaseSettingsOf(given: Given): DatabaseSettings {
  const { DATABASE_URL: databaseUrl = null, MIGRATION_DATABASE_URL: migrationDatabaseUrl = null } = given;
  if (databaseUrl === null && migrationDatabaseUrl !== null) {
    throw new SettingError("MIGRATION_DATABASE_URL: is set without DATABASE_URL");
  }
  return { databaseUrl, migrationDatabaseUrl };
}

/** These settings alone, for who has no more to do than bring the tables up to date. Throws `SettingError`. */
export function readDatabaseSettings(source: Record<string, string | undefined>): DatabaseSettings {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const { data, error } = z.object(DATABASE_SETTINGS).safeParse(given);
  if (data !== undefined) return databaseSettingsOf(data);
  const [issue] = error.issues;
  throw new SettingError(`${issue?.path.join(".") ?? "settings"}: ${issue?.message ?? "are wrong"}`);
}
