import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";
import { intentClaim } from "./intent-claim";
import type { Role } from "@/lib/permission/permission";

export const staffMembership = pgTable(
  "staff_membership",
  {
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    tenant,
    roles: text("roles").array().$type<Role[]>().notNull(),
    disabledAt: instant("disabled_at"),
    joinedAt: instant("joined_at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.staffId, table.tenant] }),
    index("staff_membership_tenant").on(table.tenant),
  ],
);

/** `secretSealed` is null until the first code confirms the candidate. */
export const staffTotp = pgTable("staff_totp", {
  staffId: uuid("staff_id")
    .primaryKey()
    .references(() => staff.id),
  secretSealed: text("secret_sealed"),
  confirmedAt: instant("confirmed_at"),
  candidateSealed: text("candidate_sealed"),
  candidateAt: instant("candidate_at"),
  /** This step and all before it are used up. */
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
});

/** WebAuthn. The key is sealed to its row, so that write access to the table cannot add one. */
export const staffPasskey = pgTable(
  "staff_passkey",
  {
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    id: text("id").notNull(),
    name: text("name").notNull(),
    publicKeySealed: text("public_key_sealed").notNull(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    usedAt: instant("used_at"),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.id] }), uniqueIndex("staff_passkey_id").on(table.id)],
);

/** Used once, by the hash of the session's or step's id. */
export const passkeyChallenge = pgTable("passkey_challenge", {
  idHash: text("id_hash").primaryKey(),
  challenge: text("challenge").notNull(),
  expiresAt: instant("expires_at").notNull(),
});

export const staffRecoveryCode = pgTable(
  "staff_recovery_code",
  {
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    codeHash: text("code_hash").notNull(),
    usedAt: instant("used_at"),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.codeHash] })],
);

/** Valid only for trying a code, for a few minutes. */
export const signInStep = pgTable("sign_in_step", {
  /** SHA-256 of the id in the cookie. */
  idHash: text("id_hash").primaryKey(),
  staffId: uuid("staff_id")
    .notNull()
    .references(() => staff.id),
  how: text("how").$type<"password" | "oidc">().notNull(),
  expiresAt: instant("expires_at").notNull(),
  usedAt: instant("used_at"),
});

export const passwordLink = pgTable(
  "password_link",
  {
    /** SHA-256 of the link's token: a copy of this table opens nothing. */
    tokenHash: text("token_hash").primaryKey(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    tenant,
    issuedBy: text("issued_by").notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [index("password_link_person").on(table.staffId)],
);

export const staffIdentity = pgTable(
  "staff_identity",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    linkedAt: instant("linked_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
);

/** Failed or unchecked tries, by keyed hash: passwords, codes, proofs and password links. */
export const signInTry = pgTable(
  "sign_in_try",
  {
    key: text("key").primaryKey(),
    tries: integer("tries").notNull(),
    /** The last try; for an address, the first of its quarter hour. */
    triedAt: instant("tried_at").notNull(),
  },
  (table) => [index("sign_in_try_at").on(table.triedAt)],
);

/** Keyed hashes of known addresses: guesses from elsewhere do not slow their person down. */
export const staffAddress = pgTable(
  "staff_address",
  {
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    addressHash: text("address_hash").notNull(),
    seenAt: instant("seen_at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.addressHash] })],
);

export type SignInWay = "password" | "oidc";

export type EndReason =
  | "signed-out"
  /** The same browser signed in again, as any person. */
  | "signed-in-again"
  | "idle"
  | "expired"
  | "ended-by-owner"
  | "ended-by-admin"
  | "roles-changed"
  | "disabled"
  | "password-changed"
  | "factor-changed"
  /** From then on the person uses single sign-on. */
  | "linked";

export const staffSession = pgTable(
  "staff_session",
  {
    /** SHA-256 of the id in the cookie: a copy of this table opens no session. */
    idHash: text("id_hash").primaryKey(),
    ref: uuid("ref").notNull().defaultRandom(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    tenant,
    how: text("how").$type<SignInWay>().notNull().default("password"),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    expiresAt: instant("expires_at").notNull(),
    /** Background requests do not count. */
    seenAt: instant("seen_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    provenAt: instant("proven_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    secondFactor: boolean("second_factor").notNull().default(false),
    browser: text("browser"),
    system: text("system"),
    /** Without its last part, which still lets people recognise their own network. */
    maskedAddress: text("masked_address"),
    endedAt: instant("ended_at"),
    endReason: text("end_reason").$type<EndReason>(),
    endedBy: text("ended_by"),
  },
  (table) => [index("staff_session_person").on(table.staffId, table.createdAt)],
);

/** The link is valid once, until it expires, is revoked or replaced. */
export const staffInvitation = pgTable(
  "staff_invitation",
  {
    id: uuid("id").primaryKey(),
    tenant,
    email: text("email").notNull(),
    name: text("name").notNull(),
    roles: text("roles").array().$type<Role[]>().notNull(),
    /** SHA-256 of the link's token: a copy of this table opens nothing. */
    tokenHash: text("token_hash").notNull(),
    invitedBy: text("invited_by").notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    expiresAt: instant("expires_at").notNull(),
    acceptedAt: instant("accepted_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    foreignKey({ columns: [table.tenant, table.id], foreignColumns: [intentClaim.tenant, intentClaim.id] }),
    uniqueIndex("staff_invitation_token").on(table.tokenHash),
    uniqueIndex("staff_invitation_open")
      .on(table.tenant, sql`lower(${table.email})`)
      .where(sql`${table.acceptedAt} is null and ${table.revokedAt} is null`),
    index("staff_invitation_tenant").on(table.tenant, table.createdAt),
  ],
);
