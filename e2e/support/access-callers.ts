import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { ROLES, type Role } from "@/lib/permission/permission";
import { staffMembership, staffSession } from "@/lib/db/tables/auth";
import { hashOf } from "@/lib/auth/sessions";
import { scopeIdOf } from "@/lib/auth/view";
import { staff } from "@/lib/db/tables/staff";
import { type Db, openStore, type StoreSettings } from "@/lib/db/connection";
import { note } from "./canary";
import { copyDatabases } from "./made-databases";
import { cookieEnd } from "./witness";

export const [HERE, ELSEWHERE] = ["aurora", "boreal"];

/** What a session allows: nothing, setting a second factor up, this tenant, or another one. */
export type Standing = "out" | "enrolling" | "here" | "elsewhere";

/** A person who asks as their browser would. */
export type Caller = {
  name: string;
  cookie: string;
  /** Their scope at the tenant `HERE`, which has the records. */
  scope: string;
  staffId: string;
  roles: readonly Role[];
  standing: Standing;
  isProven: boolean;
};

type Given = Pick<Caller, "name" | "standing"> &
  Partial<Pick<Caller, "roles" | "isProven">> & {
    /** False for a person who needs a second factor, unlike the demo's people. */
    isDemo?: boolean;
    tenant?: string;
    session?: { endedAt?: Date; expiresAt?: Date; secondFactor?: boolean };
  };

const NOBODY = "00000000-0000-4000-8000-000000000000";
/** One second longer than a proof is valid in these products. */
const LONG_AGO = sql`clock_timestamp() - interval '60 minutes 1 second'`;

async function add(db: Db, secret: string, given: Given): Promise<Caller> {
  const { name, standing, roles = ROLES, isProven = true, isDemo = true, tenant = HERE, session = {} } = given;
  const staffId = randomUUID();
  const sid = randomBytes(32).toString("base64url");
  await db.insert(staff).values({ id: staffId, email: `${staffId}@example.com`, name, isDemo });
  await db.insert(staffMembership).values({ staffId, tenant, roles: [...roles] });
  const expiresAt = sql`clock_timestamp() + interval '12 hours'`;
  const proof = isProven ? {} : { provenAt: LONG_AGO };
  await db.insert(staffSession).values({ idHash: hashOf(sid), staffId, tenant, expiresAt, ...proof, ...session });
  const sealed = await encode({ token: { sid }, secret });
  note("session", sid, cookieEnd(sealed));
  const cookie = `retaguarda-session=${sealed}`;
  return { name, standing, roles, isProven, staffId, cookie, scope: scopeIdOf({ staffId, tenant: HERE }) };
}

const anonymous: Caller = {
  name: "nobody",
  cookie: "",
  scope: scopeIdOf({ staffId: NOBODY, tenant: HERE }),
  staffId: NOBODY,
  roles: [],
  standing: "out",
  isProven: false,
};

/** Every kind of caller; `manager` first disables and demotes two of them. */
export type Cast = { callers: Caller[] } & Record<"manager" | "disabled" | "demoted" | "elsewhere", Caller>;

type Join = (given: Given) => Promise<Caller>;

/** Opens the store of a product before its start; each person gets a session whose cookie `secret` seals. */
async function inStore<T>(place: StoreSettings, secret: string, work: (join: Join) => Promise<T>): Promise<T> {
  if (place.databaseUrl === null) copyDatabases(place.dataDir);
  const { db, close } = await openStore(place);
  const done = await work((given) => add(db, secret, given));
  await close();
  return done;
}

/** Adds these people to the store, one after another. */
export const seat = (place: StoreSettings, secret: string, people: readonly Given[]): Promise<Caller[]> =>
  inStore(place, secret, async (join) => {
    const callers: Caller[] = [];
    for (const given of people) callers.push(await join(given));
    return callers;
  });

/** Adds every caller of the access table to the store, as no story could wait until a proof is old. */
export const castCallers = (place: StoreSettings, secret: string): Promise<Cast> => inStore(place, secret, cast);

async function cast(join: Join): Promise<Cast> {
  const proven = [];
  for (const role of ROLES) proven.push(await join({ name: role, roles: [role], standing: "here" }));
  const unproven = [];
  for (const role of ROLES) {
    const name = `${role} whose proof is five minutes old`;
    unproven.push(await join({ name, roles: [role], standing: "here", isProven: false }));
  }
  const manager = await join({ name: "every role at once", standing: "here" });
  const disabled = await join({ name: "a disabled person of every role", standing: "out" });
  const demoted = await join({ name: "whose roles were just taken", standing: "out" });
  const elsewhere = await join({ name: "of another tenant, every role", standing: "elsewhere", tenant: ELSEWHERE });
  const others = [
    await join({ name: "without the second factor their role asks for", standing: "enrolling", isDemo: false }),
    await join({ name: "whose session has ended", standing: "out", session: { endedAt: new Date() } }),
    await join({ name: "whose session is twelve hours old", standing: "out", session: { expiresAt: new Date() } }),
  ];
  const special = { manager, disabled, demoted, elsewhere };
  return { callers: [anonymous, ...proven, ...unproven, ...Object.values(special), ...others], ...special };
}
