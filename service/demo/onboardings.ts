import type { Closing } from "@/service/accounts/list-accounts";
import { type AccountRequest, holderOf } from "@/service/accounts/onboarding";
import { biometricsPage, biometricsRequest, documentsPage } from "@/service/accounts/provider";
import { bankAccount, onboarding } from "@/service/store/schema";
import type { Call } from "@/service/context";
import { BRL, type LedgerAccount, openAccounts } from "@/service/ledger/account";
import { secretText, uuid } from "@/service/random";
import type { Tx } from "@/service/store/transaction";
import { type Dice, type Documents, KNOWN_HOLDER, someCompany, somePerson } from "./people";
import type { DemoAccount } from "./statements";

type OnboardingRow = typeof onboarding.$inferInsert;
type Outcome = Pick<OnboardingRow, "status"> & {
  wantsBiometrics?: boolean;
  refusal?: { message: string; canAct: boolean };
};
type Case = Outcome & { request: AccountRequest; daysBack: number };

/** Two of them have wallets (`wallets.ts`). */
const WALLET_USERS = ["usr-1042", "usr-2210"];
const userOf = (place: number) => WALLET_USERS[place] ?? `usr-${3_000 + place * 17}`;
type World = { dice: Dice; documents: Documents };

const DAY_MS = 86_400_000;
const CLOSING_REASONS = ["A pedido do titular", "Mudança para outro banco", "Conta sem uso"];
const REFUSALS = [
  { message: "O nome informado diverge da base da Receita Federal.", canAct: false },
  { message: "O documento está com situação irregular na Receita Federal.", canAct: false },
  { message: "A proposta não foi aprovada na verificação cadastral.", canAct: false },
  { message: "O documento de identidade está vencido. Envie um documento válido.", canAct: true },
  { message: "A foto do documento está ilegível. Envie uma nova foto, frente e verso.", canAct: true },
] as const;

function requests({ dice, documents }: World, people: number, companies: number): AccountRequest[] {
  return [
    ...Array.from({ length: people }, () => somePerson(dice, documents.cpf())),
    ...Array.from({ length: companies }, (_, index) => someCompany(dice, documents, documents.cnpj(index % 4 === 1))),
  ];
}

function refusedRequests({ dice, documents }: World): AccountRequest[] {
  const magic = ["001", "001", "001", "004", "004"].map((ending) => somePerson(dice, documents.magicCpf(ending)));
  return [...magic, ...requests({ dice, documents }, 1, 3)];
}

function inventCases(world: World): Case[] {
  const { dice } = world;
  const known = somePerson(dice, KNOWN_HOLDER.documentNumber, KNOWN_HOLDER.fullName);
  const confirmed = { status: "CONFIRMED" } as const;
  const processing = { status: "PROCESSING" } as const;
  return [
    { ...confirmed, request: known, daysBack: 300 },
    ...requests(world, 21, 10).map((request) => ({ ...confirmed, request, daysBack: dice.int(92, 420) })),
    ...requests(world, 5, 2).map((request) => ({ ...confirmed, request, daysBack: dice.int(2, 45) })),
    ...requests(world, 5, 2).map((request) => ({ ...processing, request, daysBack: dice.fraction() * 2 })),
    ...requests(world, 4, 1).map((request) => ({
      ...processing,
      request,
      daysBack: dice.fraction() * 3,
      wantsBiometrics: true,
    })),
    ...refusedRequests(world).map((request, index) => ({
      status: "ERROR" as const,
      request,
      daysBack: dice.fraction() * 30,
      refusal: REFUSALS[index % REFUSALS.length] ?? REFUSALS[0],
    })),
  ];
}

function messagesOf(
  call: Call,
  { wantsBiometrics, refusal }: Case,
  { pageToken, date }: { pageToken: string; date: string },
) {
  if (wantsBiometrics) return [biometricsRequest(biometricsPage(call, { pageToken }), date)];
  if (!refusal) return [];
  const url = refusal.canAct ? { url: documentsPage(call, { pageToken }) } : {};
  const reason = { message: refusal.message, actionRequired: refusal.canAct, ...url };
  return [{ id: "onboarding-backgroundcheck", date, status: "proposal-reproved", ...reason }];
}

function toRow(call: Call, given: Case, place: number): OnboardingRow {
  const createdAtMs = call.clock.now() - given.daysBack * DAY_MS;
  const decidedAt = new Date(createdAtMs + Math.min(4 * 3_600_000, (call.clock.now() - createdAtMs) / 2));
  const pageToken = secretText(call.random);
  const requested = holderOf(given.request);
  return {
    ...requested,
    holder: { ...requested.holder, userId: userOf(place) },
    id: uuid(call.random),
    clientId: call.tenant.clientId,
    status: given.status,
    traceId: uuid(call.random),
    pageToken,
    biometricUrl: given.wantsBiometrics ? biometricsPage(call, { pageToken }) : null,
    messages: messagesOf(call, given, { pageToken, date: decidedAt.toISOString() }),
    createdAt: new Date(createdAtMs),
    endedAt: given.status === "ERROR" ? decidedAt : null,
  };
}

const isKnown = (documentNumber: string) => documentNumber === KNOWN_HOLDER.documentNumber;

function someClosing(dice: Dice, createdAt: Date, nowMs: number): Closing {
  const openDays = Math.floor((nowMs - createdAt.getTime()) / DAY_MS);
  const at = new Date(nowMs - dice.int(3, Math.max(3, Math.min(40, openDays / 2))) * DAY_MS);
  return { at, by: "atendimento", reason: dice.pick(CLOSING_REASONS) };
}

async function openBankAccounts(
  call: Call,
  tx: Tx,
  { dice, rows }: { dice: Dice; rows: OnboardingRow[] },
): Promise<DemoAccount[]> {
  const accounts = rows.map((row) => ({
    id: uuid(call.random),
    clientId: row.clientId,
    onboardingId: row.id,
    documentNumber: row.documentNumber,
    branch: "0001",
    status: "ACTIVE" as const,
    createdAt: new Date(row.createdAt.getTime() + 60_000),
  }));
  await tx.insert(bankAccount).values(accounts);
  const places = accounts.flatMap(({ id: holder }) => [
    { holder, assetId: BRL, kind: "available" } as const,
    { holder, assetId: BRL, kind: "blocked" } as const,
  ]);
  const opened = await openAccounts(tx, places);
  const at = (holder: string, kind: LedgerAccount["kind"]): LedgerAccount => {
    const account = opened.find((candidate) => candidate.holder === holder && candidate.kind === kind);
    if (!account) throw new Error(`account ${holder} was not opened`);
    return account;
  };
  return accounts.map(({ id, onboardingId, createdAt, documentNumber }, index) => ({
    id,
    onboardingId,
    holderType: documentNumber.length === 11 ? ("PF" as const) : ("PJ" as const),
    available: at(id, "available"),
    blocked: at(id, "blocked"),
    openedAtMs: createdAt.getTime(),
    closing: index % 12 === 7 && !isKnown(documentNumber) ? someClosing(dice, createdAt, call.clock.now()) : null,
    activity: isKnown(documentNumber) ? 3 : 0.5 + dice.fraction(),
    income: isKnown(documentNumber) ? 3n : 1n,
  }));
}

export async function fillOnboardings(call: Call, tx: Tx, world: World) {
  const rows = inventCases(world)
    .map((given, place) => toRow(call, given, place))
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  await tx.insert(onboarding).values(rows);
  const confirmed = rows.filter(({ status }) => status === "CONFIRMED");
  return { rows, accounts: await openBankAccounts(call, tx, { dice: world.dice, rows: confirmed }) };
}
