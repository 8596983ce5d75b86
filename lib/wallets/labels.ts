import { and, eq, inArray, sql } from "drizzle-orm";
import type { z } from "zod";
import { recordAll } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { excluded } from "@/lib/db/columns";
import { holdLock } from "@/lib/db/lock";
import { publishAll } from "@/lib/db/publish";
import { saveJudged } from "@/lib/db/slices";
import { db, type Tx } from "@/lib/db/connection";
import { Label, type Labelling, type LabelOrder, type WalletFile } from "./inputs";
import { staff } from "@/lib/db/tables/staff";
import { wallet, walletLabel } from "@/lib/db/tables/wallets";
import { judgeRows, walletRows } from "./named-wallets";
import { isOverruled, type LabelReport } from "./view";
import { WALLET_USES, type WalletUse } from "@/lib/db/enums/wallets";

type Labeller = Actor<"wallets:label">;

type WalletLabel = typeof walletLabel.$inferSelect;

/** Until the transaction ends, so that two people do not label a wallet together. */
const holdLabels = (tx: Tx, tenant: string) => holdLock(tx, `${tenant} wallet labels`);

const labelOf = ({ label }: Labelling) => (label === "" ? null : label);

async function setLabels(
  tx: Tx,
  { tenant, id }: Labeller,
  wanted: readonly Labelling[],
): Promise<("saved" | "same")[]> {
  const { walletId, label, use, setBy, setAt } = walletLabel;
  const ids = wanted.map((one) => one.walletId);
  await holdLabels(tx, tenant);
  const rows = await tx
    .select()
    .from(walletLabel)
    .where(and(eq(walletLabel.tenant, tenant), inArray(walletId, ids)));
  const stored = new Map(rows.map((row) => [row.walletId, row]));
  const news = wanted
    .map((one) => ({ ...one, label: labelOf(one), before: stored.get(one.walletId) }))
    .filter((one) => (one.before?.label ?? null) !== one.label || (one.before?.use ?? null) !== one.use);
  if (news.length > 0) {
    const at = sql`clock_timestamp()`;
    const values = news.map((one) => ({
      tenant,
      walletId: one.walletId,
      label: one.label,
      use: one.use,
      setBy: id,
      setAt: at,
    }));
    await tx
      .insert(walletLabel)
      .values(values)
      .onConflictDoUpdate({
        target: [walletLabel.tenant, walletId],
        set: { label: excluded(label), use: excluded(use), setBy: excluded(setBy), setAt: excluded(setAt) },
      });
    await publishAll(tx, { tenant, topic: "wallets", objects: news.map((one) => one.walletId) });
    const what = { tenant, actor: id, code: "wallets.label", outcome: "DONE" } as const;
    await recordAll(
      tx,
      news.map((one) => ({
        ...what,
        object: `wallet:${one.walletId}`,
        detail: {
          label: one.label,
          labelBefore: one.before?.label ?? null,
          walletUse: one.use,
          walletUseBefore: one.before?.use ?? null,
        },
      })),
    );
  }
  const changed = new Set(news.map((one) => one.walletId));
  return ids.map((one) => (changed.has(one) ? "saved" : "same"));
}

const isAs = (
  one: Pick<WalletLabel, "label" | "use"> | undefined,
  { label, use }: Pick<WalletLabel, "label" | "use">,
) => (one?.label ?? null) === label && (one?.use ?? null) === use;

/** Throws conflict `wallet-label-changed`, with who set it, unless it is as seen or as wanted. */
async function requireSeen(tx: Tx, tenant: string, { seen, ...one }: LabelOrder): Promise<void> {
  await holdLabels(tx, tenant);
  const [found] = await tx
    .select({ row: walletLabel, name: staff.name })
    .from(walletLabel)
    .leftJoin(staff, eq(staff.id, walletLabel.setBy))
    .where(and(eq(walletLabel.tenant, tenant), eq(walletLabel.walletId, one.walletId)));
  if (isAs(found?.row, seen) || isAs(found?.row, { label: labelOf(one), use: one.use })) return;
  const holder =
    found === undefined || found.name === null
      ? null
      : { id: found.row.setBy, name: found.name, since: found.row.setAt.toISOString() };
  throw new AppError("conflict", { code: "wallet-label-changed", holder });
}

/** Throws not-found without this wallet, conflict `wallet-of-user` when it cannot be the company's own, and as `requireSeen`. */
export async function labelOne(actor: Labeller, order: LabelOrder): Promise<null> {
  const { seen: _, ...one } = order;
  return (await db()).transaction(async (tx) => {
    const isIt = and(eq(wallet.tenant, actor.tenant), eq(wallet.id, one.walletId));
    const [row] = await tx.select({ userId: wallet.userId }).from(wallet).where(isIt);
    if (row === undefined) throw new AppError("not-found");
    if (isOverruled({ use: one.use, ...row })) throw new AppError("conflict", { code: "wallet-of-user" });
    await requireSeen(tx, actor.tenant, order);
    await setLabels(tx, actor, [one]);
    return null;
  });
}

/** The words in files of either language. */
const USE_WORDS: Readonly<Record<string, WalletUse>> = {
  própria: "own",
  propria: "own",
  cliente: "customer",
  "de cliente": "customer",
  "customer’s": "customer",
  "customer's": "customer",
  outra: "other",
  outro: "other",
};

function useIn(word: string): WalletUse | null | undefined {
  if (word === "") return null;
  const lower = word.toLowerCase();
  return WALLET_USES.find((use) => use === lower) ?? USE_WORDS[lower];
}

/** Columns: wallet (id or address), use, label. Reports each row; a bad one stops no other. */
export async function importLabelFile(
  actor: Labeller,
  { csv }: z.output<typeof WalletFile>,
): Promise<{ rows: LabelReport[] }> {
  const given = walletRows(csv);
  const store = await db();
  const judged = await judgeRows(
    { store, tenant: actor.tenant, least: 3, most: 3 },
    given,
    ({ id: walletId, userId }, [word = "", text = ""]) => {
      const use = useIn(word);
      if (use === undefined) return { outcome: "bad-use" };
      if (isOverruled({ use, userId })) return { outcome: "of-user" };
      const label = Label.safeParse(text);
      return label.success ? { order: { walletId, use, label: label.data } } : { outcome: "bad-label" };
    },
  );
  const outcomes = await saveJudged(store, judged, (tx, slice) => setLabels(tx, actor, slice));
  return {
    rows: given.map(({ line, cells }, at) => ({ line, wallet: cells[0] ?? "", outcome: outcomes[at] ?? "unsaved" })),
  };
}
