import { isWalletStatus } from "@/lib/wallets/view";
import { wordOf } from "@/lib/approvals/view";
import { leftAs } from "@/lib/approvals/visible";
import { and, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { AuditCode } from "@/lib/audit/codes";
import { approval } from "@/lib/db/tables/approvals";
import { isReference } from "@/lib/provider/call-log";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { sendCryptoTransfer } from "@/lib/provider/operations";
import { providerCall, providerIntent } from "@/lib/db/tables/provider";
import { auditEvent } from "@/lib/db/tables/audit";
import { accountEntry } from "@/lib/db/tables/accounts";
import { account } from "@/lib/db/tables/customers";
import { entryHref, isEntryCalled } from "@/lib/movements/records";
import { formatBrl, formatCrypto, formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText } from "@/lib/text/provider-word";
import { stateOfIntent } from "@/lib/transfers/records";
import { transfer } from "@/lib/db/tables/transfers";
import { walletPlace, requestsNamed } from "@/lib/wallets/records";
import { pastedAddress, AddressFilter } from "@/lib/wallets/inputs";
import { chainMovement, cryptoOrder, hashKey, wallet, walletRequest } from "@/lib/db/tables/wallets";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import type { SearchHit } from "./view";
import { ADDRESS, HASH } from "./shape";
import { MAX, type AskedSearch, hasEnds, isId, isShortened, type Translator } from "./asked";

export async function transfers({ store, tenant, typed, t, locale }: AskedSearch): Promise<SearchHit[]> {
  const { transactionId, endToEndId, returnId, intentId } = transfer;
  const ids = [transactionId, endToEndId, returnId, intentId, providerIntent.antifraudId];
  const isIt = or(...ids.map((column) => isId(column, typed)));
  const rows = await store
    .select({
      id: transfer.intentId,
      kind: transfer.kind,
      amount: transfer.amount,
      state: stateOfIntent,
      candidateId: transfer.candidateId,
    })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(and(eq(transfer.tenant, tenant), isIt))
    .orderBy(desc(transfer.createdAt))
    .limit(MAX + 1);
  return rows.map(({ id, kind, amount, state, candidateId }) => ({
    group: "transfers",
    href: `/transfers/${id}`,
    title: `${t(`transfers.kinds.${kind}`)} · ${formatBrl(amount, locale)}`,
    state: state === "HELD" && candidateId !== null ? t("transfers.perhapsReleased") : t(`transfers.states.${state}`),
    detail: typed,
  }));
}

export async function entries({ store, tenant, typed, t, locale }: AskedSearch): Promise<SearchHit[]> {
  const {
    tenant: of,
    accountRef,
    transactionId,
    at,
    isDated,
    amount,
    direction,
    directionWord,
    droppedAt,
  } = accountEntry;
  const rows = await store
    .select({
      accountRef,
      transactionId,
      at,
      isDated,
      amount,
      direction,
      directionWord,
      branch: account.branch,
      number: account.number,
      holder: account.holder,
    })
    .from(accountEntry)
    .innerJoin(account, and(eq(account.tenant, of), eq(account.ref, accountRef)))
    .where(and(eq(of, tenant), isEntryCalled(typed), isNull(droppedAt)))
    .orderBy(desc(at), accountRef, accountEntry.key, accountEntry.ordinal)
    .limit(MAX + 1);
  return rows.map((row) => ({
    group: "entries",
    href: entryHref(row),
    title: [formatBrl(row.amount, locale), ...(row.isDated ? [formatDateTime(row.at.toISOString(), locale)] : [])].join(
      " · ",
    ),
    state: row.direction === null ? row.directionWord || null : t(`movements.directions.${row.direction}`),
    detail: [`${row.branch} / ${row.number}`, row.holder, row.transactionId]
      .filter((text) => text !== null)
      .join(" · "),
  }));
}

type AtAddress = { id: string; family: string; address: string };

/** The provider may list one address under several ids: only the first counts. */
function oncePerAddress<Row extends AtAddress>(rows: readonly Row[]): { row: Row; ids: string[] }[] {
  const byPlace = new Map<string, { row: Row; ids: string[] }>();
  for (const row of rows) {
    const place = walletPlace(row.family, row.address);
    const found = byPlace.get(place);
    if (found === undefined) byPlace.set(place, { row, ids: [row.id] });
    else if (!found.ids.includes(row.id)) found.ids.push(row.id);
  }
  return [...byPlace.values()].slice(0, MAX + 1);
}

const WITH_OTHER_IDS = 4 * (MAX + 1);

const withIds = (t: Translator, text: string, ids: readonly string[]) =>
  ids.length === 1 ? text : `${text} · ${t("search.ids", { ids: ids.join(", ") })}`;

export async function wallets({ store, tenant, typed, t }: AskedSearch): Promise<SearchHit[]> {
  // In hexadecimal addresses case is only a checksum; on other chains it distinguishes letters.
  const meant = pastedAddress(typed);
  const isFolded = eq(sql`lower(${wallet.address})`, meant.toLowerCase());
  const isAddress = /^0x[\da-f]+$/i.test(meant) ? isFolded : isId(wallet.address, meant);
  const rows = await store
    .select()
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), or(isId(wallet.id, typed), isAddress, eq(wallet.userId, typed))))
    .orderBy(desc(wallet.createdAt), wallet.id)
    .limit(WITH_OTHER_IDS);
  return oncePerAddress(rows).map(({ row: { id, address, coin, status }, ids }) => ({
    group: "wallets",
    href: `/wallets/${encodeURIComponent(id)}`,
    title: address,
    state: isWalletStatus(status) ? t(`wallets.status.${status}`) : status,
    detail: withIds(t, coin, ids),
  }));
}

/** Wallets and addresses made here, by part of their reference in any case; by address until the list has a wallet. */
export async function walletReferences({ store, tenant, typed, t }: AskedSearch): Promise<SearchHit[]> {
  const { search } = AddressFilter.parse({ search: typed });
  if (search === undefined) return [];
  const isListed = or(
    eq(wallet.id, walletRequest.walletId),
    eq(sql`lower(${wallet.address})`, sql`lower(${walletRequest.address})`),
  );
  const rows = await store
    .selectDistinctOn([walletRequest.createdAt, walletRequest.intentId], {
      kind: walletRequest.kind,
      address: walletRequest.address,
      id: wallet.id,
    })
    .from(walletRequest)
    .leftJoin(wallet, and(eq(wallet.tenant, tenant), isListed))
    .where(
      and(
        eq(walletRequest.tenant, tenant),
        inArray(walletRequest.intentId, await requestsNamed(store, tenant, search)),
      ),
    )
    .orderBy(desc(walletRequest.createdAt), walletRequest.intentId, desc(wallet.createdAt))
    .limit(MAX + 1);
  return rows.map(({ kind, address, id }) => ({
    group: "wallets",
    href: id === null ? hrefWith("/wallets/addresses", { search }) : `/wallets/${encodeURIComponent(id)}`,
    title: address ?? t(`writes.wallet.${kind === "wallet" ? "create" : "address"}`),
    state: null,
    detail: search,
  }));
}

const keyOfHash = (typed: string) => typed.toLowerCase().replace(/^0x/, "");

/** Crypto transfers by their chain hash or the antifraud's case. */
export async function cryptoTransfers({ store, tenant, typed, t, locale }: AskedSearch): Promise<SearchHit[]> {
  const isShort = isShortened(typed);
  const toldHash = sql`${auditEvent.detail} ->> 'txHash'`;
  const matches = store
    .select({ intentId: auditEvent.intentId })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.tenant, tenant),
        eq(auditEvent.code, "crypto-transfers.create" satisfies AuditCode),
        isShort ? hasEnds(toldHash, typed) : sql`regexp_replace(lower(${toldHash}), '^0x', '') = ${keyOfHash(typed)}`,
      ),
    );
  const isHash = isShort ? hasEnds(cryptoOrder.txHash, typed) : eq(hashKey(cryptoOrder.txHash), keyOfHash(typed));
  const kept = store
    .select({ intentId: cryptoOrder.intentId })
    .from(cryptoOrder)
    .where(and(eq(cryptoOrder.tenant, tenant), isHash));
  const isOfHash = or(inArray(providerIntent.id, kept), inArray(providerIntent.id, matches));
  const isIt = or(eq(providerIntent.antifraudId, typed), isShort || HASH.test(typed) ? isOfHash : undefined);
  const rows = await store
    .select({ order: cryptoOrder, address: wallet.address })
    .from(providerIntent)
    .innerJoin(cryptoOrder, ofIntent(cryptoOrder))
    .innerJoin(wallet, and(eq(wallet.tenant, tenant), eq(sql`'wallet:' || ${wallet.id}`, providerIntent.object)))
    .where(and(eq(providerIntent.tenant, tenant), eq(providerIntent.operation, sendCryptoTransfer.path), isIt))
    .orderBy(desc(providerIntent.createdAt))
    .limit(MAX + 1);
  return rows.map(({ order: { intentId, state, amount, asset }, address }) => ({
    group: "wallets",
    href: `/coins/${intentId}`,
    title:
      amount === null
        ? t("coins.one")
        : `${t("coins.one")} · ${formatCrypto(amount, locale)} ${providerText(asset ?? "")}`,
    state: t(`coins.states.${state}`),
    detail: address,
  }));
}

/** Any movement of a wallet, sent from here or not. */
export async function chainMovements({ store, tenant, typed, t }: AskedSearch): Promise<SearchHit[]> {
  const isHash = HASH.test(typed);
  const isShort = isShortened(typed);
  const counterparty = pastedAddress(typed);
  if (!isHash && !isShort && !ADDRESS.test(counterparty)) return [];
  const isOfHash = isShort
    ? hasEnds(chainMovement.hash, typed)
    : inArray(sql`lower(${chainMovement.hash})`, [keyOfHash(typed), `0x${keyOfHash(typed)}`]);
  const isOfCounterparty = isShort
    ? hasEnds(chainMovement.counterAddress, typed)
    : sql`lower(${chainMovement.counterAddress}) = ${counterparty.toLowerCase()}`;
  const isIt = isShort ? or(isOfHash, isOfCounterparty) : isHash ? isOfHash : isOfCounterparty;
  const found = isShort
    ? sql<string>`case when ${isOfHash} then ${chainMovement.hash} else ${chainMovement.counterAddress} end`
    : isHash
      ? chainMovement.hash
      : sql<string>`${typed}`;
  const rows = await store
    .selectDistinct({
      id: wallet.id,
      family: wallet.family,
      address: wallet.address,
      createdAt: wallet.createdAt,
      search: found,
    })
    .from(chainMovement)
    .innerJoin(wallet, and(eq(wallet.tenant, tenant), eq(wallet.id, chainMovement.walletId)))
    .where(and(eq(chainMovement.tenant, tenant), isIt))
    .orderBy(desc(wallet.createdAt), wallet.id)
    .limit(WITH_OTHER_IDS);
  return oncePerAddress(rows).map(({ row: { id, address, search }, ids }) => ({
    group: "wallets",
    href: hrefWith(`/wallets/${encodeURIComponent(id)}`, { search }),
    title: t("wallets.history.title"),
    state: null,
    detail: withIds(t, address, ids),
  }));
}

export async function approvals({ store, tenant, typed, t }: AskedSearch): Promise<SearchHit[]> {
  const { id, kind, state, code, intentId } = approval;
  const rows = await store
    .select({ id, kind, state, code, left: leftAs })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), or(isId(id, typed), isId(intentId, typed))))
    .orderBy(desc(approval.createdAt))
    .limit(MAX + 1);
  return rows.map((row) => ({
    group: "approvals",
    href: `/approvals/${row.id}`,
    title: t(`writes.${row.kind}`),
    state: t(`approvals.states.${wordOf(row, row.left)}`),
    detail: row.id,
  }));
}

export async function deliveries({ store, tenant, typed }: AskedSearch): Promise<SearchHit[]> {
  const [row] = await store
    .select({ event: webhookEvent.event, eventId: webhookEvent.eventId })
    .from(webhookEvent)
    .where(and(eq(webhookEvent.tenant, tenant), eq(webhookEvent.eventId, typed)));
  if (row === undefined) return [];
  return [
    {
      group: "deliveries",
      href: hrefWith("/webhooks", { search: typed }),
      title: row.event,
      state: null,
      detail: row.eventId,
    },
  ];
}

export async function calls({ store, tenant, typed }: AskedSearch): Promise<SearchHit[]> {
  const [row] = await store
    .select({ method: providerCall.method, path: providerCall.path, status: providerCall.status })
    .from(providerCall)
    .where(and(eq(providerCall.tenant, tenant), isReference(typed)))
    .orderBy(desc(providerCall.seq))
    .limit(1);
  if (row === undefined) return [];
  return [
    {
      group: "calls",
      href: hrefWith("/calls", { search: typed }),
      title: `${row.method} ${row.path}`,
      state: row.status === null ? null : String(row.status),
      detail: typed,
    },
  ];
}
