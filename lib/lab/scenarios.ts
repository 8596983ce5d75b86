import { and, desc, eq, inArray, isNotNull } from "drizzle-orm";
import { z } from "zod";
import { CHAIN_FAMILIES, FAMILY_NETWORKS } from "@/lib/contract/crypto";
import { pasted } from "@/lib/contract/fold";
import { type Db, db } from "@/lib/db/connection";
import { onboarding } from "@/lib/db/tables/customers";
import { kycCase } from "@/lib/db/tables/kyc";
import { providerIntent } from "@/lib/db/tables/provider";
import { transfer } from "@/lib/db/tables/transfers";
import { cryptoOrder, wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { ControlRequest } from "./control";
import { beginDrill, endDrill } from "./drill";
import { LAB_FIELDS, type LabField, type LabFieldName, type LabOption, type ScenarioName } from "./view";

type Player = Actor<"settings:manage">;

const MAX_SECONDS = 600;
const MAX_OPTIONS = 30;

const wrong = (code: string) => ({ error: code, params: { code } });

const Typed = z.string().refine((text) => text.trim() !== "", { ...wrong("required"), abort: true });

const Seconds = Typed.transform(Number).refine(
  (count) => Number.isInteger(count) && count >= 1 && count <= MAX_SECONDS,
  wrong("lab-seconds"),
);

const COINS = /^\d{1,9}([.,]\d{1,6})?$/;

const Coins = Typed.transform((text) => pasted(text))
  .refine((text) => COINS.test(text) && /[1-9]/.test(text), wrong("lab-coins"))
  .transform((text) => text.replace(",", "."));

async function listHeld(store: Db, { tenant }: Player): Promise<LabOption[]> {
  const { id, antifraudId, createdAt, state } = providerIntent;
  const rows = await store
    .select({ id, createdAt, reais: transfer.amount, coins: cryptoOrder.amount, asset: cryptoOrder.asset })
    .from(providerIntent)
    .leftJoin(transfer, and(eq(transfer.tenant, tenant), eq(transfer.intentId, id)))
    .leftJoin(cryptoOrder, and(eq(cryptoOrder.tenant, tenant), eq(cryptoOrder.intentId, id)))
    .where(and(eq(providerIntent.tenant, tenant), eq(state, "HELD"), isNotNull(antifraudId)))
    .orderBy(desc(createdAt))
    .limit(MAX_OPTIONS);
  return rows.map(({ id: value, createdAt: at, reais, coins, asset }) => ({
    value,
    text: "",
    amount: reais ?? coins,
    asset: reais === null ? asset : "BRL",
    at: at.toISOString(),
  }));
}

async function antifraudOf({ tenant }: Player, id: string): Promise<string> {
  const isIt = and(eq(providerIntent.tenant, tenant), eq(providerIntent.id, id), eq(providerIntent.state, "HELD"));
  const [held] = z.uuid().safeParse(id).success
    ? await (await db()).select({ antifraudId: providerIntent.antifraudId }).from(providerIntent).where(isIt)
    : [];
  if (held === undefined || held.antifraudId === null) throw new AppError("conflict");
  return held.antifraudId;
}

async function listUnderWay(store: Db, { tenant }: Player): Promise<LabOption[]> {
  const { id, documentMask, firstSeenAt, status, onBoardingId } = onboarding;
  const rows = await store
    .select({ id, documentMask, firstSeenAt })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(status, "PROCESSING"), isNotNull(onBoardingId)))
    .orderBy(desc(firstSeenAt))
    .limit(MAX_OPTIONS);
  return rows.map(({ id: value, documentMask: mask, firstSeenAt: at }) => ({
    value,
    text: mask ?? "",
    amount: null,
    asset: null,
    at: at.toISOString(),
  }));
}

async function onboardingOf({ tenant }: Player, id: string): Promise<string> {
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, id));
  const [found] = z.uuid().safeParse(id).success
    ? await (await db()).select({ onBoardingId: onboarding.onBoardingId }).from(onboarding).where(isIt)
    : [];
  if (found === undefined || found.onBoardingId === null) throw new AppError("conflict");
  return found.onBoardingId;
}

async function listDecided(store: Db, { tenant }: Player): Promise<LabOption[]> {
  const { kycUUID, vatNumber, changedAt, status } = kycCase;
  const rows = await store
    .select({ kycUUID, vatNumber, changedAt })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), inArray(status, ["APPROVED", "REPROVED"])))
    .orderBy(desc(changedAt))
    .limit(MAX_OPTIONS);
  return rows.map((row) => ({
    value: row.kycUUID,
    text: row.vatNumber,
    amount: null,
    asset: null,
    at: row.changedAt.toISOString(),
  }));
}

async function caseOf({ tenant }: Player, kycUUID: string): Promise<string> {
  const isIt = and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));
  if ((await (await db()).$count(kycCase, isIt)) === 0) throw new AppError("conflict");
  return kycUUID;
}

async function listCheckout(store: Db, { tenant }: Player): Promise<LabOption[]> {
  const rows = await store
    .select({ id: wallet.id, address: wallet.address, family: wallet.family, createdAt: wallet.createdAt })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.isForwardPayment, true), inArray(wallet.family, CHAIN_FAMILIES)))
    .orderBy(desc(wallet.createdAt))
    .limit(MAX_OPTIONS);
  return rows.map(({ id: value, address, family, createdAt }) => ({
    value,
    text: `${family} ${address}`,
    amount: null,
    asset: null,
    at: createdAt.toISOString(),
  }));
}

async function placeOf({ tenant }: Player, id: string) {
  const isIt = and(eq(wallet.tenant, tenant), eq(wallet.id, id));
  const [found] = await (await db()).select().from(wallet).where(isIt);
  const family = CHAIN_FAMILIES.find((one) => one === found?.family);
  const network = family === undefined ? undefined : FAMILY_NETWORKS[family][0];
  if (found === undefined || network === undefined) throw new AppError("conflict");
  return { address: found.address, network };
}

const FIELDS: Readonly<Record<LabFieldName, (store: Db, player: Player) => Promise<LabField>>> = {
  held: async (...of) => ({ name: "held", kind: "choice", options: await listHeld(...of) }),
  onboarding: async (...of) => ({ name: "onboarding", kind: "choice", options: await listUnderWay(...of) }),
  case: async (...of) => ({ name: "case", kind: "choice", options: await listDecided(...of) }),
  address: async (...of) => ({ name: "address", kind: "choice", options: await listCheckout(...of) }),
  amount: async () => ({ name: "amount", kind: "amount", first: "25" }),
  seconds: async () => ({ name: "seconds", kind: "seconds", most: MAX_SECONDS, first: "60" }),
};

type Input = z.ZodObject<Partial<Record<LabFieldName, z.ZodType<string | number>>>>;

/** Of the service, or of this console itself. */
export type Act = ControlRequest | { here: () => Promise<void> };

type Declared<Taken extends Input> = {
  sees: string;
  input: Taken;
  request: (player: Player, values: z.output<Taken>) => Promise<Act> | Act;
};

type Checked = { ok: true; request: (player: Player) => Promise<Act> } | { ok: false; issues: z.core.$ZodIssue[] };

type Scenario = {
  describe: (player: Player) => Promise<{ href: string; fields: LabField[] }>;
  check: (typed: Readonly<Record<string, string>>) => Checked;
};

function scenario<Taken extends Input>({ sees, input, request }: Declared<Taken>): Scenario {
  const names = LAB_FIELDS.filter((name) => name in input.shape);
  return {
    describe: async (player) => {
      const store = await db();
      const fields: LabField[] = [];
      for (const name of names) fields.push(await FIELDS[name](store, player));
      return { href: sees, fields };
    },
    check: (typed) => {
      const read = input.safeParse(Object.fromEntries(names.map((name) => [name, typed[name] ?? ""])));
      if (!read.success) return { ok: false, issues: read.error.issues };
      return { ok: true, request: async (player) => request(player, read.data) };
    },
  };
}

const post = (path: ControlRequest["path"], body: object): ControlRequest => ({ method: "POST", path, body });

const decision = (word: "RELEASE" | "REJECT" | "EXPIRE") =>
  scenario({
    sees: "/transfers",
    input: z.object({ held: Typed }),
    request: async (player, { held }) =>
      post(`/sandbox/transactions/${encodeURIComponent(await antifraudOf(player, held))}`, { decision: word }),
  });

const trouble = (kind: "rate-limited" | "unavailable" | "silent") =>
  scenario({
    sees: "/health",
    input: z.object({ seconds: Seconds }),
    request: (_, { seconds: lasts }) => post("/sandbox/trouble", { kind, seconds: lasts }),
  });

const holds = (transfers: 0 | 1) =>
  scenario({
    sees: "/transfers",
    input: z.object({}),
    request: ({ tenant }) => post("/sandbox/holds", { clientId: tenant, transfers }),
  });

const DRILL_SHEET = "/lab/drill";

/** Every one there is: nothing else reaches a control route from here. */
export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  "hold-next": holds(1),
  "release-held": decision("RELEASE"),
  "refuse-held": decision("REJECT"),
  "expire-held": decision("EXPIRE"),
  "refuse-onboarding": scenario({
    sees: "/onboarding",
    input: z.object({ onboarding: Typed }),
    request: async (player, { onboarding: id }) =>
      post(`/sandbox/onboardings/${encodeURIComponent(await onboardingOf(player, id))}`, { status: "ERROR" }),
  }),
  "reopen-case": scenario({
    sees: "/kyc",
    input: z.object({ case: Typed }),
    request: async (player, { case: id }) =>
      post(`/sandbox/kyc/${encodeURIComponent(await caseOf(player, id))}`, { status: "PENDING" }),
  }),
  "deposit-coins": scenario({
    sees: "/deposits",
    input: z.object({ address: Typed, amount: Coins }),
    request: async (player, { address, amount: coins }) =>
      post("/sandbox/crypto/deposits", { ...(await placeOf(player, address)), amount: coins }),
  }),
  "sleep-receiver": scenario({
    sees: DRILL_SHEET,
    input: z.object({ seconds: Seconds }),
    request: (player, { seconds: lasts }) => ({ here: () => beginDrill(player, lasts) }),
  }),
  "lose-deliveries": scenario({
    sees: "/webhooks/missing",
    input: z.object({ seconds: Seconds }),
    request: (_, { seconds: lasts }) => post("/sandbox/outage", { seconds: lasts }),
  }),
  "limit-calls": trouble("rate-limited"),
  "answer-unavailable": trouble("unavailable"),
  "fall-silent": trouble("silent"),
  "end-holds": holds(0),
  "end-sleep": scenario({
    sees: DRILL_SHEET,
    input: z.object({}),
    request: (player) => ({ here: () => endDrill(player) }),
  }),
  "end-lost-deliveries": scenario({
    sees: "/webhooks/missing",
    input: z.object({}),
    request: () => post("/sandbox/outage", { seconds: 0 }),
  }),
  "end-trouble": scenario({
    sees: "/health",
    input: z.object({}),
    request: () => post("/sandbox/trouble", { kind: "unavailable", seconds: 0 }),
  }),
};
