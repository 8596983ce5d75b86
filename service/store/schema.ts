import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { CHAIN_FAMILIES, type Network, NETWORKS, WALLET_STATUSES } from "@/lib/contract/crypto";
import { KYC_MODELS, KYC_PROCESSES, KYC_STATUSES, KYC_TYPES } from "@/lib/contract/kyc";
import { ONBOARDING_STATUSES, type OnboardingMessage } from "@/lib/contract/onboarding";

export const HOLDER_TYPES = ["PF", "PJ"] as const;

/** Canonical: document, e-mails in lower case, phones as `+` and digits. */
const PIX_KEYS = sql`array_remove(array[
  document_number,
  lower(holder ->> 'email'), lower(holder ->> 'accountEmail'), lower(holder ->> 'businessEmail'),
  '+' || regexp_replace(holder ->> 'phoneNumber', '[^0-9]', '', 'g'),
  '+' || regexp_replace(holder ->> 'contactNumber', '[^0-9]', '', 'g')
], null)`;

/** `holder` is without the password. Until `endedAt` the document cannot request again. */
export const onboarding = pgTable(
  "onboarding",
  {
    id: text("id").primaryKey(),
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
    clientId: text("client_id").notNull(),
    holderType: text("holder_type", { enum: HOLDER_TYPES }).notNull(),
    documentNumber: text("document_number").notNull(),
    holderName: text("holder_name").notNull(),
    holder: jsonb("holder").$type<Record<string, unknown>>().notNull(),
    pixKeys: text("pix_keys").array().notNull().generatedAlwaysAs(PIX_KEYS),
    status: text("status", { enum: ONBOARDING_STATUSES }).notNull(),
    traceId: text("trace_id").notNull(),
    biometricUrl: text("biometric_url"),
    pageToken: text("page_token").notNull().unique(),
    messages: jsonb("messages").$type<OnboardingMessage[]>().notNull().default([]),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("onboarding_one_per_document")
      .on(table.clientId, table.documentNumber)
      .where(sql`${table.endedAt} is null`),
    index("onboarding_document").on(table.clientId, table.documentNumber, table.sequence),
    index("onboarding_period").on(table.clientId, table.createdAt, table.sequence),
    index("onboarding_pix_keys").using("gin", table.pixKeys),
  ],
);

/** Its money is in the ledger under its id. `closedBy`: the user named in the request. */
export const bankAccount = pgTable(
  "bank_account",
  {
    id: text("id").primaryKey(),
    serial: integer("serial").notNull().unique().generatedAlwaysAsIdentity({ startWith: 104_729 }),
    clientId: text("client_id").notNull(),
    onboardingId: text("onboarding_id")
      .notNull()
      .unique()
      .references(() => onboarding.id),
    documentNumber: text("document_number").notNull(),
    branch: text("branch").notNull(),
    status: text("status", { enum: ["ACTIVE", "CLOSED"] }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    closedAt: timestamp("closed_at", { withTimezone: true }),
    closedBy: text("closed_by"),
    closingReason: text("closing_reason"),
  },
  (table) => [index("bank_account_client").on(table.clientId, table.documentNumber)],
);

export const CASE_STATUSES = ["HELD", "RELEASED", "REJECTED", "EXPIRED", "BLOCKED"] as const;

/** `toAccountId` null: another institution. */
export type TransferDetails = {
  kind: "transfer";
  type: "INTERNAL" | "TED";
  fromAccountId: string;
  toAccountId: string | null;
  /** Whole cents, as text. */
  cents: string;
  description: string;
  recipient?: Record<string, unknown>;
};

/** In base units, as text. */
export type CryptoTransferDetails = {
  kind: "crypto-transfer";
  walletId: string;
  network: Network;
  /** Canonical. */
  to: string;
  units: string;
  fee: string;
};

export type CaseDetails = TransferDetails | CryptoTransferDetails;

/** `id` is the antifraudId, and the transaction's once released. HELD: the amount stays blocked until `expiresAt`. */
export const antifraudCase = pgTable(
  "antifraud_case",
  {
    id: uuid("id").primaryKey(),
    clientId: text("client_id").notNull(),
    details: jsonb("details").$type<CaseDetails>().notNull(),
    status: text("status", { enum: CASE_STATUSES }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true, precision: 3 }),
    decidedAt: timestamp("decided_at", { withTimezone: true, precision: 3 }),
  },
  (table) => [index("antifraud_case_client").on(table.clientId, table.createdAt)],
);

/** Exact, signed, wide enough for any token. */
const units = (name: string) => numeric(name, { precision: 78, scale: 0, mode: "bigint" });

/** `network` null: BRL; `tokenAddress` null: a native coin. */
export const ledgerAsset = pgTable("ledger_asset", {
  id: text("id").primaryKey(),
  network: text("network", { enum: NETWORKS }),
  symbol: text("symbol").notNull(),
  decimals: integer("decimals").notNull(),
  tokenAddress: text("token_address"),
});

export const ACCOUNT_KINDS = ["available", "blocked", "outside"] as const;

/** `outside` may go negative, so it keeps no balance and is never locked; the others store theirs with the entries. */
export const ledgerAccount = pgTable(
  "ledger_account",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    holder: text("holder").notNull(),
    assetId: text("asset_id")
      .notNull()
      .references(() => ledgerAsset.id),
    kind: text("kind", { enum: ACCOUNT_KINDS }).notNull(),
    balance: units("balance"),
    entryCount: bigint("entry_count", { mode: "number" }),
    isClosed: boolean("is_closed").notNull().default(false),
  },
  (table) => [
    unique("ledger_account_holder").on(table.holder, table.assetId, table.kind),
    check("ledger_account_never_negative", sql`${table.balance} >= 0`),
    check(
      "ledger_account_outside",
      sql`(${table.kind} = 'outside') = (${table.balance} is null) and (${table.balance} is null) = (${table.entryCount} is null)`,
    ),
  ],
);

export const MOVEMENT_TYPES = ["PIX", "TED", "INTERNAL", "FEE", "HOLD", "RELEASE", "CHAIN"] as const;

export const ledgerMovement = pgTable("ledger_movement", {
  id: text("id").primaryKey(),
  type: text("type", { enum: MOVEMENT_TYPES }).notNull(),
  description: text("description").notNull(),
  occurredAt: timestamp("occurred_at", { withTimezone: true, precision: 3 }).notNull(),
});

/** `sequence` is gapless per account; with `balanceAfter` null for `outside`. */
export const ledgerEntry = pgTable(
  "ledger_entry",
  {
    movementId: text("movement_id")
      .notNull()
      .references(() => ledgerMovement.id),
    accountId: integer("account_id")
      .notNull()
      .references(() => ledgerAccount.id),
    sequence: bigint("sequence", { mode: "number" }),
    amount: units("amount").notNull(),
    balanceAfter: units("balance_after"),
    occurredAt: timestamp("occurred_at", { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.movementId, table.accountId] }),
    unique("ledger_entry_sequence").on(table.accountId, table.sequence),
    index("ledger_entry_statement").on(table.accountId, table.occurredAt, table.sequence),
    check("ledger_entry_moves_something", sql`${table.amount} <> 0`),
  ],
);

/** BIP-39, hexadecimal; every address is derived from it. At most one row. */
export const walletSeed = pgTable("wallet_seed", {
  id: text("id").primaryKey(),
  seed: text("seed").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

/** The next wallet's index. */
export const walletDerivation = pgTable("wallet_derivation", {
  family: text("family", { enum: CHAIN_FAMILIES }).primaryKey(),
  count: integer("count").notNull(),
});

/** `reference`: of a checkout address; null on other wallets. */
export const wallet = pgTable(
  "wallet",
  {
    id: text("id").primaryKey(),
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
    clientId: text("client_id").notNull(),
    family: text("family", { enum: CHAIN_FAMILIES }).notNull(),
    derivationIndex: integer("derivation_index").notNull(),
    address: text("address").notNull().unique(),
    userId: text("user_id"),
    reference: text("reference"),
    isForwardPayment: integer("is_forward_payment").notNull(),
    status: text("status", { enum: WALLET_STATUSES }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    unique("wallet_derivation_index").on(table.family, table.derivationIndex),
    index("wallet_client").on(table.clientId, table.sequence),
    index("wallet_master")
      .on(table.clientId, table.family, table.sequence)
      .where(sql`${table.isForwardPayment} = 0 and ${table.userId} is null`),
  ],
);

/** Decimal strings, `fee` in the native coin; null when the wallet paid none. */
export const chainEntry = pgTable(
  "chain_entry",
  {
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
    walletId: text("wallet_id")
      .notNull()
      .references(() => wallet.id),
    movementId: text("movement_id")
      .notNull()
      .references(() => ledgerMovement.id),
    network: text("network", { enum: NETWORKS }).notNull(),
    assetId: text("asset_id")
      .notNull()
      .references(() => ledgerAsset.id),
    hash: text("hash").notNull(),
    blockNumber: bigint("block_number", { mode: "number" }).notNull(),
    subtype: text("subtype", { enum: ["incoming", "outgoing"] }).notNull(),
    amount: text("amount").notNull(),
    fee: text("fee"),
    counterAddress: text("counter_address").notNull(),
    occurredAt: timestamp("occurred_at", { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    unique("chain_entry_movement").on(table.walletId, table.movementId, table.subtype),
    index("chain_entry_history").on(table.walletId, table.network, table.blockNumber, table.sequence),
  ],
);

/** `fingerprint` identifies the same request. */
export const idempotencyRecord = pgTable(
  "idempotency_record",
  {
    clientId: text("client_id").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    status: integer("status").notNull(),
    /** Repeated byte for byte. */
    body: text("body").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.key] }),
    index("idempotency_record_age").on(table.createdAt),
  ],
);

/** Written in the causing transaction, removed in the one that does the work. */
export const job = pgTable(
  "job",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    kind: text("kind").notNull(),
    subject: text("subject").notNull(),
    dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
    attempts: integer("attempts").notNull().default(0),
  },
  (table) => [index("job_due").on(table.dueAt, table.id), index("job_subject").on(table.kind, table.subject)],
);

export type KycMember = { ownerType: string; vatNumber: string; name: string; birthDate: string; motherName: string };

export const kycProcess = pgTable(
  "kyc_process",
  {
    kycUuid: uuid("kyc_uuid").primaryKey(),
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
    clientId: text("client_id").notNull(),
    kycType: text("kyc_type", { enum: KYC_TYPES }).notNull(),
    model: text("model", { enum: KYC_MODELS }).notNull(),
    documentscopy: boolean("documentscopy").notNull(),
    vatNumber: text("vat_number").notNull(),
    name: text("name").notNull(),
    birthDate: text("birth_date"),
    motherName: text("mother_name"),
    members: jsonb("members").$type<KycMember[]>().notNull().default([]),
    process: text("process", { enum: KYC_PROCESSES }).notNull(),
    status: text("status", { enum: KYC_STATUSES }).notNull(),
    webviewUrl: text("webview_url"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("kyc_process_newest").on(table.clientId, table.createdAt.desc(), table.sequence.desc())],
);

/** One for a person, one for each member of a company. */
export const kycWebview = pgTable(
  "kyc_webview",
  {
    token: text("token").primaryKey(),
    kycUuid: uuid("kyc_uuid")
      .notNull()
      .references(() => kycProcess.kycUuid),
    position: integer("position").notNull(),
    vatNumber: text("vat_number").notNull(),
    finishedAt: timestamp("finished_at", { withTimezone: true }),
  },
  (table) => [index("kyc_webview_process").on(table.kycUuid, table.position)],
);

/** The key makes billing idempotent. */
export const kycCharge = pgTable("kyc_charge", {
  kycUuid: uuid("kyc_uuid")
    .primaryKey()
    .references(() => kycProcess.kycUuid),
  clientId: text("client_id").notNull(),
  kycType: text("kyc_type", { enum: KYC_TYPES }).notNull(),
  model: text("model", { enum: KYC_MODELS }).notNull(),
  chargedAt: timestamp("charged_at", { withTimezone: true }).notNull(),
});

/** Never changed. */
export const kycDecision = pgTable("kyc_decision", {
  id: bigserial("id", { mode: "number" }).primaryKey(),
  kycUuid: uuid("kyc_uuid")
    .notNull()
    .references(() => kycProcess.kycUuid),
  decision: text("decision", { enum: ["APPROVED", "REPROVED"] }).notNull(),
  reason: text("reason").notNull(),
  decidedAt: timestamp("decided_at", { withTimezone: true }).notNull(),
});

export const OTC_SIDES = ["BUY", "SELL"] as const;
export const OTC_STATUSES = ["QUOTED", "CONFIRMED", "SETTLED", "CANCELLED"] as const;

/** `quantity` in base units of the asset, sums in cents. */
export const otcTrade = pgTable("otc_trade", {
  id: text("id").primaryKey(),
  clientId: text("client_id").notNull(),
  side: text("side", { enum: OTC_SIDES }).notNull(),
  assetId: text("asset_id")
    .notNull()
    .references(() => ledgerAsset.id),
  quantity: numeric("quantity", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
  priceCents: numeric("price_cents", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
  totalCents: numeric("total_cents", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
  status: text("status", { enum: OTC_STATUSES }).notNull(),
  createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull(),
  settledAt: timestamp("settled_at", { withTimezone: true, precision: 3 }),
});

/** Applies while the tenants file is unchanged. */
export const tenantBilling = pgTable("tenant_billing", {
  clientId: text("client_id").primaryKey(),
  status: text("status", { enum: ["ACTIVE", "SUSPENDED", "RESTRICTED"] }).notNull(),
  insteadOf: text("instead_of", { enum: ["ACTIVE", "SUSPENDED", "RESTRICTED"] }).notNull(),
});

/** base64url, made once. */
export const signingKey = pgTable("signing_key", {
  id: text("id").primaryKey(),
  secret: text("secret").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

/** Kept until they would have expired. */
export const revokedToken = pgTable("revoked_token", {
  tokenId: uuid("token_id").primaryKey(),
  clientId: text("client_id").notNull(),
  revokedAt: timestamp("revoked_at", { withTimezone: true }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});

export const externalTransfer = pgTable(
  "external_transfer",
  {
    transactionId: text("transaction_id")
      .primaryKey()
      .references(() => ledgerMovement.id),
    recipient: jsonb("recipient").$type<Record<string, unknown>>().notNull(),
    /** The movement that returned the money. */
    returnId: text("return_id").references(() => ledgerMovement.id),
  },
  (table) => [uniqueIndex("external_transfer_return").on(table.returnId)],
);

/** The outbox, written in the causing transaction. `body` holds the bytes that get signed. */
export const webhookEvent = pgTable(
  "webhook_event",
  {
    id: uuid("id").primaryKey(),
    clientId: text("client_id").notNull(),
    event: text("event").notNull(),
    body: text("body").notNull(),
    status: text("status", { enum: ["PENDING", "DELIVERED", "FAILED"] })
      .notNull()
      .default("PENDING"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    sequence: bigserial("sequence", { mode: "number" }).notNull(),
  },
  (table) => [
    // Excludes sent rows, which then cost nothing.
    index("webhook_event_waiting")
      .on(table.clientId, table.sequence, table.dueAt)
      .where(sql`${table.status} = 'PENDING'`),
    index("webhook_event_due")
      .on(table.dueAt)
      .where(sql`${table.status} = 'PENDING'`),
    index("webhook_event_client").on(table.clientId, table.createdAt),
  ],
);

export const webhookAttempt = pgTable(
  "webhook_attempt",
  {
    eventId: uuid("event_id")
      .notNull()
      .references(() => webhookEvent.id),
    number: integer("number").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    httpStatus: integer("http_status"),
    error: text("error"),
  },
  (table) => [unique("webhook_attempt_number").on(table.eventId, table.number)],
);

export const clockOffset = pgTable("clock_offset", {
  id: text("id").primaryKey(),
  offsetMs: bigint("offset_ms", { mode: "number" }).notNull(),
});
