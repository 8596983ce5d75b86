import type { Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import type { Network } from "@/lib/contract/crypto";
import { type Db, db } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { type CsvColumn, csvDecimal, csvLine, csvMinute, csvName, csvTable } from "@/lib/text/csv";
import { isDecimal } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import { providerText, providerWord } from "@/lib/text/provider-word";
import type { AssetBalance } from "./holdings";
import { isFamily, WalletFilter } from "./inputs";
import { type FiledWallet, readWalletFile } from "./list";
import { isWalletStatus, sameAsset } from "./view";

type Say = Awaited<ReturnType<typeof getTranslations<"wallets">>>;
type CsvWords = { say: Say; locale: Locale };

/** One asset on one network; without `held`, a network that holds nothing or was not read, or the whole wallet. */
type FileRow = {
  wallet: FiledWallet;
  network: Network | null;
  held: Pick<AssetBalance, "asset" | "tokenAddress" | "balance"> | null;
  readAt: string | null;
  isEmpty: boolean;
  notes: string[];
};

const timeIn = (at: string | null, { locale }: CsvWords) => (at === null ? null : csvMinute(at, locale));

function balanceIn({ held, isEmpty }: FileRow, { locale }: CsvWords): string | null {
  if (held === null) return isEmpty ? "0" : null;
  return isDecimal(held.balance) ? csvDecimal(held.balance, locale) : providerText(held.balance);
}

const COLUMNS = [
  { name: "id", csv: ({ wallet }) => providerText(wallet.id) },
  { name: "label", csv: ({ wallet }) => wallet.label },
  { name: "use", csv: ({ wallet: { use } }, { say }) => say(`uses.${use ?? "untold"}`) },
  {
    name: "family",
    csv: ({ wallet: { network } }, { say }) =>
      isFamily(network) ? say(`filters.${network}`) : providerText(providerWord(network)),
  },
  { name: "network", csv: ({ network }) => network },
  { name: "address", csv: ({ wallet }) => providerText(wallet.address) },
  { name: "asset", csv: ({ held }) => (held === null ? null : providerText(held.asset)) },
  { name: "token", csv: ({ held }) => providerText(held?.tokenAddress ?? "") },
  { name: "balance", csv: balanceIn },
  { name: "balanceAt", csv: ({ readAt }, words) => timeIn(readAt, words) },
  { name: "moved", csv: ({ wallet }, words) => timeIn(wallet.lastMovedAt, words) },
  { name: "movesAt", csv: ({ wallet }, words) => timeIn(wallet.movesAsOf, words) },
  {
    name: "status",
    csv: ({ wallet: { status } }, { say }) => (isWalletStatus(status) ? say(`status.${status}`) : providerText(status)),
  },
  { name: "user", csv: ({ wallet: { userId } }) => (userId === null ? null : providerText(userId)) },
  { name: "created", csv: ({ wallet }, words) => timeIn(wallet.createdAt, words) },
  { name: "note", csv: ({ notes }) => notes.join(" ") },
] as const satisfies readonly CsvColumn<FileRow, CsvWords>[];

type Filing = CsvWords & { reader: Actor<"wallets:read">; filter: WalletFilter };

function rowsOf(wallet: FiledWallet, { filter: { asset }, say }: Filing): FileRow[] {
  const { balances, readings, sameAs } = wallet;
  const shared = sameAs === null ? [] : [say("csv.sameAddress", { wallet: providerText(sameAs) })];
  const rowOf = (row: Pick<FileRow, "network" | "held" | "readAt">, note: string | null, isEmpty = false): FileRow => ({
    wallet,
    ...row,
    isEmpty,
    notes: [...(note === null ? [] : [note]), ...shared],
  });
  const readAtOf = (network: Network) => readings.find((one) => one.network === network)?.readAt ?? null;
  const wanted = balances.filter((one) => asset === undefined || sameAsset(one.asset, asset));
  const held = wanted.map((one) => {
    const doubt = one.doubt === null ? null : say(`doubts.${one.doubt}`, { asset: providerText(one.asset) });
    return rowOf({ network: one.network, held: one, readAt: readAtOf(one.network) }, doubt);
  });
  if (readings.every(({ readAt }) => readAt === null) && balances.length === 0)
    return [rowOf({ network: null, held: null, readAt: null }, say("notRead"))];
  const gaps = readings.flatMap(({ network, readAt, unread }) => {
    if (readAt !== null && unread === 0) return [];
    const note = readAt === null ? say("neverRead") : say("unreadBalances", { count: unread });
    return [rowOf({ network, held: null, readAt }, note)];
  });
  if (held.length > 0 || gaps.length > 0) return [...held, ...gaps];
  return [rowOf({ network: null, held: null, readAt: wallet.balancesAsOf }, say("noBalance"), true)];
}

async function* linesOf(store: Db, filing: Filing): AsyncGenerator<string> {
  const { reader, filter, say, locale } = filing;
  const { head, line } = csvTable(COLUMNS, { say, locale }, (name) => say(`csv.${name}`));
  yield head;
  const { batches, extent, unread, hidden, total } = await readWalletFile(store, reader.tenant, filter);
  for await (const wallets of batches) yield wallets.flatMap((one) => rowsOf(one, filing).map(line)).join("");
  const notes = [
    ...(extent === "whole" ? [] : [say(`extent.${extent}`, { count: total })]),
    ...(unread.length === 0 ? [] : [say("csv.unreadable", { count: unread.length })]),
    ...(hidden === 0 ? [] : [say("csv.hidden", { count: hidden })]),
  ];
  for (const note of notes)
    yield csvLine(
      COLUMNS.map(({ name }) => (name === "note" ? note : null)),
      locale,
    );
}

/** The filtered list as CSV, a row per network and asset; on record before its first byte, but for what was searched. */
export async function exportWalletList(
  reader: Actor<"wallets:read">,
  given: Partial<WalletFilter> = {},
): Promise<Download> {
  const filter = WalletFilter.parse(given);
  const [store, say, locale] = await Promise.all([db(), getTranslations("wallets"), getLocale()]);
  const { tenant, id } = reader;
  const detail = { format: "csv", filter: hrefWith("", { ...filter, page: undefined, search: undefined }) };
  await record(store, { tenant, actor: id, code: "wallets.export-list", outcome: "DONE", detail });
  return {
    fileName: csvName(say("csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, { reader, filter, say, locale }),
  };
}
