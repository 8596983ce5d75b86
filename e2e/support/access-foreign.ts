import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { z } from "zod";
import { type Caller, ELSEWHERE } from "./access-callers";
import { ask } from "./access-wire";
import { inventCpf } from "./invent";
import { providerOf } from "./story";

type Kind = "kyc" | "wallet" | "account" | "onboarding" | "staff";
type Foreign = Record<Kind, string>;

type Place = {
  product: Parameters<typeof providerOf>[0];
  /** The file of its tenants. */
  tenants: string;
  /** Somebody of the other tenant, before a page of it. */
  colleague: Caller;
  send: (caller: Caller, name: string, input: unknown) => Promise<string>;
};

const Found = /"data":\{"accountRef":"([^"]+)"\}/;
const Onboardings = z.object({ rows: z.array(z.object({ id: z.string() })).min(1) });

/** One record of each kind that only the other tenant has. */
export async function foreignRecords({ product, tenants, colleague, send }: Place): Promise<Foreign> {
  const provider = providerOf({ ...product, tenants }, 1);
  expect(provider.clientId).toBe(ELSEWHERE);
  const cpf = inventCpf().digits;
  await provider.openAccount(cpf);
  const kyc = await provider.openCase(inventCpf().digits);
  const { walletId: wallet } = await provider.createWallet("EVM");
  const read = async (path: string) => (await ask(product.url, colleague, { path })).text;
  const [, account = ""] = Found.exec(await send(colleague, "accounts.lookUpAccount", { query: cpf })) ?? [];
  expect(account).not.toBe("");
  await expect.poll(() => read("/api/kyc?status=PENDING&sort=arrival"), { timeout: 20_000 }).toContain(kyc);
  await expect.poll(() => read("/api/wallets"), { timeout: 20_000 }).toContain(wallet);
  const [onboarding] = Onboardings.parse(JSON.parse(await read("/api/onboarding?status=all"))).rows;
  return { kyc, wallet, account, onboarding: onboarding?.id ?? "", staff: colleague.staffId };
}

/** An id of nothing that looks like this one. */
const absentLike = (id: string) => {
  const other = randomUUID();
  if (id.length === other.length) return other;
  const digits = other.replaceAll("-", "");
  return id.replaceAll(/[0-9a-f]/g, (_, place: number) => digits[place % digits.length] ?? "0");
};

const READS: readonly (readonly [string, Kind, (id: string) => string])[] = [
  ["the case", "kyc", (id) => `/kyc/${id}`],
  ["who has the case", "kyc", (id) => `/api/kyc/${id}/holder`],
  ["the file of the case", "kyc", (id) => `/api/kyc/${id}/files/${randomUUID()}`],
  ["the wallet", "wallet", (id) => `/wallets/${id}`],
  ["the account", "account", (id) => `/accounts/${id}`],
  ["the onboarding", "onboarding", (id) => `/onboarding/${id}`],
  ["the person", "staff", (id) => `/staff/${id}`],
  ["the balance", "account", (id) => `/api/accounts/${id}/balance`],
  ["an entry", "account", (id) => `/api/accounts/${id}/entry?transaction=t`],
  ["the receipt", "account", (id) => `/accounts/${id}/receipt?transaction=t`],
  ["the file of the account", "account", (id) => `/api/accounts/${id}/files/${randomUUID()}`],
  ["what stands before closing the account", "account", (id) => `/api/accounts/${id}/closing`],
  ["the record of the person", "staff", (id) => `/api/audit/new?search=${id}`],
  ...(["kyc", "wallet", "account", "onboarding"] as const).map(
    (kind) => [`the calls about the ${kind}`, kind, (id: string) => `/api/calls/about?kind=${kind}&id=${id}`] as const,
  ),
];

const intent = () => ({ intentId: randomUUID() });
const NOTE = { reason: "service", note: "Conferido com o cliente." };
const CLOSURE = { userId: "user-1", reason: "A pedido do titular" };
const EXPECTED = { status: "PENDING", process: "kyc-documentscopy" };
const REASON = { reason: "Requisitos cadastrais não atendidos.", reasonCode: "requirements-unmet", checklist: [] };
const DECISION = { decision: "REPROVED", ...REASON, rulesVersion: 0, expected: EXPECTED };

const WRITES: readonly (readonly [string, Kind, (id: string) => unknown])[] = [
  ["kyc.decideCase", "kyc", (kycUUID) => ({ ...intent(), kycUUID, ...DECISION })],
  ["kyc.claimCase", "kyc", (kycUUID) => ({ kycUUID, takeFrom: null })],
  ["kyc.releaseCase", "kyc", (kycUUID) => ({ kycUUID })],
  ["kyc.assignCase", "kyc", (kycUUID) => ({ kycUUID, to: null, from: null })],
  ["kyc.addCaseNote", "kyc", (id) => ({ id, noteId: randomUUID(), text: "Conferido." })],
  ["accounts.revealDocument", "kyc", (id) => ({ kind: "kyc", id, ...NOTE })],
  ["onboarding.checkOnboarding", "onboarding", (id) => ({ id })],
  ["onboarding.takeBiometricLink", "onboarding", (id) => ({ id, use: "shown" })],
  ["onboarding.partAttempts", "onboarding", (id) => ({ id })],
  ["onboarding.addOnboardingNote", "onboarding", (id) => ({ id, noteId: randomUUID(), text: "ok" })],
  ["accounts.addAccountNote", "account", (id) => ({ id, noteId: randomUUID(), text: "Conferido." })],
  ["accounts.lookUpAccount", "onboarding", (query) => ({ query })],
  ["accounts.proposeAccountClosure", "account", (ref) => ({ ...intent(), ref, ...CLOSURE })],
  ["transfers.savePayee", "account", (to) => ({ kind: "INTERNAL", to })],
  ["accounts.revealDocument", "account", (id) => ({ kind: "account", id, ...NOTE })],
  ["accounts.revealDocument", "onboarding", (id) => ({ kind: "onboarding", id, ...NOTE })],
  ["staff.setRoles", "staff", (staffId) => ({ ...intent(), staffId, roles: ["support"], expected: [] })],
  ["staff.resetSecondFactor", "staff", (staffId) => ({ ...intent(), staffId })],
  ...["disable", "enable", "endSessions", "issueLink"].map(
    (verb) => [`staff.${verb}`, "staff", (staffId: string) => ({ staffId })] as const,
  ),
];

const about = (id: string) => ({ id, absent: absentLike(id) });

/** The ways to ask for what only the other tenant has, by the address of a read or by a write. */
export function foreignAsked(foreign: Foreign) {
  const reads = READS.map(([at, kind, path]) => ({ at, ...about(foreign[kind]), path, input: null }));
  const writes = WRITES.map(([at, kind, input]) => ({ at, ...about(foreign[kind]), path: null, input }));
  const tenant = { at: "staff.switchTenant", ...about(ELSEWHERE), path: null, input: (one: string) => one };
  return [...reads, ...writes, tenant];
}

type Answer = { text: string; id: string };

/**
 * What an answer says once what differs by chance or by the clock is left out. A page's parts arrive in any order and under
 * numbers of the moment: of each, what it says counts.
 */
function likeness({ text, id }: Answer): Set<string> {
  const parts = text
    .replaceAll(id, "that")
    .replaceAll(id.slice(0, 8), "that")
    .replaceAll(/nonce(=\\?"|\\?":\\?"|-)[\w+/=-]+/g, "nonce")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "an id")
    .replaceAll(/"endsInMs":[\d.]+/g, "")
    .replaceAll(/<script[^>]*>.*?<\/script>/gs, "")
    // What came in time and what was sent after it say the same.
    .replaceAll(/<template id="[BP]:\w+"><\/template>|<div hidden(?:="")? id="S:\w+">|<!--.*?-->/g, "")
    // The meter of the provider's limit moves by itself.
    .replaceAll(/<button[^>]* popovertarget="provider-meter".*?<\/button>/gis, "the meter")
    // A badge's count, too.
    .replaceAll(/tabular-nums">\d+/g, "so many")
    .split(/(?=<)/);
  return new Set(parts);
}

/** What only one of two answers says. */
export function difference(one: Answer, other: Answer): string[] {
  const these = likeness(one);
  const those = likeness(other);
  const apart = [...these, ...those].filter((part) => these.has(part) !== those.has(part));
  return apart.map((part) => part.slice(0, 200));
}
