import { and, eq, type SQL, sql } from "drizzle-orm";
import type { ErrorKind } from "@/lib/result";
import { seal, unseal } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import { bankToken } from "./schema";

/** Where the token stands: one row for a tenant at a provider. `now`: the store's clock, by which all processes go. */
export type TokenPlace = { db: Db; tenant: string; baseUrl: string; now: () => SQL };

/** A token by the time it still has, so that it can be held against any process's clock. */
export type StoredToken = { value: string; ageMs: number; renewInMs: number; lifeMs: number; isReplacement: boolean };

export type StoredFailure = {
  /** How many in a row. */
  times: number;
  kind: ErrorKind;
  code: string;
  /** Keyed hash of the credentials it was with. */
  credentials: string;
  retryInMs: number;
};

/** What all processes know: the number of the newest token, that token unless it is dead, and the failure after it. */
export type TokenRow = { generation: number; token: StoredToken | null; failure: StoredFailure | null };

const after = (place: TokenPlace, ms: number) => sql`${place.now()} + ${ms} * interval '1 millisecond'`;

const inMs = (interval: SQL) =>
  sql<number>`coalesce(extract(epoch from ${interval}) * 1000, 0)::float8`.mapWith(Number);

const isHere = ({ tenant, baseUrl }: TokenPlace) => and(eq(bankToken.tenant, tenant), eq(bankToken.baseUrl, baseUrl));

const sealedAt = ({ tenant, baseUrl }: TokenPlace) => ({ column: "bank_token.token", row: [tenant, baseUrl] }) as const;

/** Null when another key sealed it: what cannot be read is as good as absent. */
async function opened(place: TokenPlace, sealed: string | null): Promise<string | null> {
  if (sealed === null) return null;
  const [clear] = await Promise.allSettled([Promise.resolve(sealed).then((text) => unseal(text, sealedAt(place)))]);
  return clear.status === "fulfilled" ? clear.value : null;
}

export async function readToken(place: TokenPlace): Promise<TokenRow> {
  const now = place.now();
  const [row] = await place.db
    .select({
      generation: bankToken.generation,
      sealed: bankToken.token,
      ageMs: inMs(sql`${now} - ${bankToken.issuedAt}`),
      renewInMs: inMs(sql`${bankToken.renewAt} - ${now}`),
      lifeMs: inMs(sql`${bankToken.expiresAt} - ${now}`),
      isReplacement: bankToken.isReplacement,
      times: bankToken.failures,
      kind: bankToken.failureKind,
      code: bankToken.failureCode,
      credentials: bankToken.failedWith,
      retryInMs: inMs(sql`${bankToken.retryAt} - ${now}`),
    })
    .from(bankToken)
    .where(isHere(place));
  if (row === undefined) return { generation: 0, token: null, failure: null };
  const { generation, sealed, ageMs, renewInMs, lifeMs, isReplacement, times, kind, code, credentials, retryInMs } =
    row;
  const value = await opened(place, sealed);
  return {
    generation,
    token: value === null ? null : { value, ageMs, renewInMs, lifeMs, isReplacement },
    failure:
      kind === null || code === null || credentials === null ? null : { times, kind, code, credentials, retryInMs },
  };
}

/** Marks exactly this token dead for all processes; a newer one stays. */
export async function discardToken(place: TokenPlace, generation: number): Promise<void> {
  await place.db
    .update(bankToken)
    .set({ token: null })
    .where(and(isHere(place), eq(bankToken.generation, generation)));
}

type Renewed = { replaces: number; generation: number; token: StoredToken };

/** Puts the new token in the place of generation `replaces`; false when another process was faster. */
export async function saveToken(place: TokenPlace, { replaces, generation, token }: Renewed): Promise<boolean> {
  const { tenant, baseUrl } = place;
  const values = {
    generation,
    token: seal(token.value, sealedAt(place)),
    issuedAt: after(place, -token.ageMs),
    renewAt: after(place, token.renewInMs),
    expiresAt: after(place, token.lifeMs),
    isReplacement: token.isReplacement,
    failures: 0,
    failureKind: null,
    failureCode: null,
    failedWith: null,
    retryAt: null,
  };
  const saved = await place.db
    .insert(bankToken)
    .values({ tenant, baseUrl, ...values })
    .onConflictDoUpdate({
      target: [bankToken.tenant, bankToken.baseUrl],
      set: values,
      setWhere: eq(bankToken.generation, replaces),
    })
    .returning({ generation: bankToken.generation });
  return saved.length > 0;
}

/** Tells all processes that a token request failed; the token that is there stays. */
export async function saveFailure(place: TokenPlace, failure: StoredFailure): Promise<void> {
  const { tenant, baseUrl } = place;
  const set = {
    failures: failure.times,
    failureKind: failure.kind,
    failureCode: failure.code,
    failedWith: failure.credentials,
    retryAt: after(place, failure.retryInMs),
  };
  await place.db
    .insert(bankToken)
    .values({ tenant, baseUrl, generation: 0, ...set })
    .onConflictDoUpdate({ target: [bankToken.tenant, bankToken.baseUrl], set });
}
