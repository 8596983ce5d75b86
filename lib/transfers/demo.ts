import { and, asc, eq, isNotNull } from "drizzle-orm";
import { entryPagesOf } from "@/lib/accounts/records";
import { StatementFilter } from "@/lib/accounts/inputs";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import type { IntentKind } from "@/lib/provider/intents/intent-record";
import { recallIntent } from "@/lib/provider/intents/recall";
import type { StatementEntry } from "@/lib/contract/accounts";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { accountDocument } from "@/lib/db/document";
import { account, onboarding } from "@/lib/db/tables/customers";
import { lookupHash } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { civilDay, civilDaysAgo } from "@/lib/text/time";
import { storePayee } from "./find-payee";
import { TRANSFER_NAMES } from "./duplicates";
import type { Receipt } from "./receipt";
import { sendTed } from "./ted";
import { sendTransfer } from "./transfer";
import {
  type Essence,
  essenceOfExternal,
  essenceOfInternal,
  fingerprintOn,
  paidByExternal,
  paidByInternal,
  type PaidParty,
} from "./inputs";
import { transfer } from "@/lib/db/tables/transfers";

/** For an account whose user the provider does not name. */
export const USER = "usr-1042";

const DAYS = 45;
const MAX_ACCOUNTS = 16;
const MAX_TRANSFERS = 30;
/** From this amount on a second person would have been needed. */
const ALONE_BELOW_REAIS = 5_000;

const PAYEES = [
  {
    document: completeCnpj("274518930001"),
    name: "Distribuidora Pedra Branca Ltda",
    institutionIspb: "60746948",
    institutionCode: 237,
    branchCode: "1184",
    accountCode: "20736-5",
    bankAccountType: "CACC",
  },
  {
    document: completeCpf("284617395"),
    name: "Caio Batista Nunes",
    institutionIspb: "00360305",
    institutionCode: 104,
    branchCode: "0411",
    accountCode: "88420-1",
    bankAccountType: "SVGS",
  },
  {
    document: completeCnpj("518203740001"),
    name: "Embalagens Serra Azul Ltda",
    institutionIspb: "60701190",
    institutionCode: 341,
    branchCode: "3320",
    accountCode: "15508-4",
    bankAccountType: "CACC",
  },
] as const;

type HeldAccount = { row: typeof account.$inferSelect; onBoardingId: string };

/** Open accounts with a known onboarding. */
export async function findOldestAccounts(store: Db, tenant: string, limit: number): Promise<HeldAccount[]> {
  const isOfOnboarding = and(eq(onboarding.tenant, account.tenant), eq(onboarding.accountId, account.accountId));
  const rows = await store
    .select({ row: account, onBoardingId: onboarding.onBoardingId })
    .from(account)
    .innerJoin(onboarding, isOfOnboarding)
    .where(and(eq(account.tenant, tenant), eq(account.standing, "OPEN"), isNotNull(onboarding.onBoardingId)))
    .orderBy(asc(account.createdAt), asc(account.ref))
    .limit(limit);
  return rows.flatMap(({ row, onBoardingId }) => (onBoardingId === null ? [] : [{ row, onBoardingId }]));
}

type Line = { holding: HeldAccount; entry: StatementEntry };

async function readLines(actor: Actor<"accounts:read">, holdings: readonly HeldAccount[]): Promise<Line[]> {
  const filter = StatementFilter.parse({ from: civilDaysAgo(DAYS), to: civilDaysAgo(1) });
  const lines: Line[] = [];
  for (const holding of holdings) {
    const { accountId, ref } = holding.row;
    const asked = { accountId, documentNumber: accountDocument(holding.row) };
    for await (const entries of entryPagesOf(actor, { asked, object: `account:${ref}`, filter }))
      lines.push(...entries.map((entry) => ({ holding, entry })));
  }
  return lines;
}

type PastTransfer<Body> = {
  kind: IntentKind<Body, Receipt>;
  body: Body;
  essence: Essence;
  paid: PaidParty;
  line: Line;
};

async function putOnRecord<Body>(store: Db, maker: Actor<"transfers:create">, sent: PastTransfer<Body>): Promise<void> {
  const { kind, body, essence, paid, line } = sent;
  const { tenant, id: staffId } = maker;
  const { transactionId, date } = line.entry;
  const { amount, accountId } = essence;
  const object = `account:${line.holding.row.ref}`;
  await store.transaction(async (tx) => {
    const done = { kind, body, object, stored: { transactionId }, finishedAt: new Date(date) };
    const intent = await recallIntent(tx, maker, done);
    const { id: intentId, createdAt } = intent;
    await tx.insert(transfer).values({
      tenant,
      intentId,
      kind: essence.kind,
      accountId,
      amount,
      fingerprint: lookupHash(fingerprintOn(essence, civilDay(createdAt))),
      payeeHash: lookupHash(essence.payee),
      isRepeat: false,
      staffId,
      createdAt,
      returnReadAt: new Date(),
    });
    await storePayee(tx, { tenant, intentId }, paid, createdAt);
    const what = { code: TRANSFER_NAMES[essence.kind], object, intentId } as const;
    await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what, detail: { amount, isRepeat: false } });
    await kind.ended(tx, intent, staffId);
  });
}

type PastEvent = { at: number; putOnRecord: (store: Db, maker: Actor<"transfers:create">) => Promise<void> };

const past = <Body>(sent: PastTransfer<Body>): PastEvent => ({
  at: Date.parse(sent.line.entry.date),
  putOnRecord: (store, maker) => putOnRecord(store, maker, sent),
});

/** Between two of the accounts, as the other one's statement shows. */
function pastInternal(line: Line, lines: readonly Line[]): PastEvent[] {
  const { holding, entry } = line;
  const other = lines.find(
    (one) => one.entry.transactionId === entry.transactionId && one.holding.row.accountId !== holding.row.accountId,
  );
  if (other === undefined) return [];
  const { accountId: accountIdFrom, userId } = holding.row;
  const accounts = { accountIdFrom, accountIdTo: other.holding.row.accountId };
  const body = { userId: userId ?? USER, ...accounts, amount: entry.amount, description: entry.description };
  return [
    past({ kind: sendTransfer.intent, body, essence: essenceOfInternal(body), paid: paidByInternal(body), line }),
  ];
}

/** The statement names no recipient: each account pays the same one. */
function pastExternal(line: Line, place: number): PastEvent[] {
  const { holding, entry } = line;
  const payee = PAYEES[place % PAYEES.length];
  if (payee === undefined) return [];
  const { accountId: idAccount, userId } = holding.row;
  const paying = { userId: userId ?? USER, onBoardingId: holding.onBoardingId, idAccount };
  const body = { ...paying, ...payee, value: entry.amount };
  return [past({ kind: sendTed.intent, body, essence: essenceOfExternal(body), paid: paidByExternal(body), line })];
}

type People = { looker: Actor<"accounts:read">; makers: readonly Actor<"transfers:create">[] };

/** Records recent transfers in the statements as ordered here, by the makers in turn. */
export async function recallTransfers(store: Db, { looker, makers }: People): Promise<void> {
  const holdings = await findOldestAccounts(store, looker.tenant, MAX_ACCOUNTS);
  const lines = await readLines(looker, holdings);
  const found = lines.flatMap((line) => {
    const { direction, type, amount } = line.entry;
    if (direction !== "DEBIT" || Number(amount) >= ALONE_BELOW_REAIS) return [];
    if (type === "INTERNAL") return pastInternal(line, lines);
    return type === "TED" ? pastExternal(line, holdings.indexOf(line.holding)) : [];
  });
  const newest = found.toSorted((one, other) => other.at - one.at).slice(0, MAX_TRANSFERS);
  for (const [place, one] of newest.toReversed().entries()) {
    const maker = makers[place % makers.length];
    if (maker !== undefined) await one.putOnRecord(store, maker);
  }
}
