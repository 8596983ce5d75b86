import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { db, type Tx } from "@/lib/db/connection";
import { Label, type Labelling, type WalletFile } from "./inputs";
import { wallet, walletLabel } from "@/lib/db/tables/wallets";
import { findNamed, walletRows } from "./named-wallets";
import type { LabelOutcome, LabelReport } from "./view";
import { WALLET_USES, type WalletUse } from "@/lib/db/enums/wallets";

type Labeller = Actor<"wallets:label">;

async function setLabel(tx: Tx, { tenant, id }: Labeller, one: Labelling): Promise<"set" | "same"> {
  const { walletId, use } = one;
  const label = one.label === "" ? null : one.label;
  const isIt = and(eq(walletLabel.tenant, tenant), eq(walletLabel.walletId, walletId));
  const [before] = await tx.select().from(walletLabel).where(isIt).for("update");
  if ((before?.label ?? null) === label && (before?.use ?? null) === use) return "same";
  const values = { label, use, setBy: id, setAt: new Date() };
  await tx
    .insert(walletLabel)
    .values({ tenant, walletId, ...values })
    .onConflictDoUpdate({ target: [walletLabel.tenant, walletLabel.walletId], set: values });
  await publish(tx, { tenant, topic: "wallets", object: walletId });
  await record(tx, {
    tenant,
    actor: id,
    code: "wallets.label",
    outcome: "DONE",
    object: `wallet:${walletId}`,
    detail: { label, labelBefore: before?.label ?? null, walletUse: use, walletUseBefore: before?.use ?? null },
  });
  return "set";
}

/** Throws not-found without this wallet. */
export async function labelOne(actor: Labeller, one: Labelling): Promise<null> {
  return (await db()).transaction(async (tx) => {
    const isIt = and(eq(wallet.tenant, actor.tenant), eq(wallet.id, one.walletId));
    const [row] = await tx.select({ id: wallet.id }).from(wallet).where(isIt);
    if (row === undefined) throw new AppError("not-found");
    await setLabel(tx, actor, one);
    return null;
  });
}

/** As they stand in files of either language. */
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

/** Columns: wallet (id or address), use, label. Each row says what became of it; a bad one stops no other. */
export async function importLabelFile(
  actor: Labeller,
  { csv }: z.output<typeof WalletFile>,
): Promise<{ rows: LabelReport[] }> {
  const { tenant } = actor;
  const given = walletRows(csv);
  return (await db()).transaction(async (tx) => {
    const named = await findNamed(
      tx,
      tenant,
      given.map(({ cells: [name = ""] }) => name),
    );
    const done = new Set<string>();
    const outcomeOf = async ([name = "", word = "", text = ""]: readonly string[]): Promise<LabelOutcome> => {
      const [found, ...more] = named(name);
      if (found === undefined) return "unknown-wallet";
      if (more.length > 0) return "many-wallets";
      if (done.has(found.id)) return "repeated";
      const [use, label] = [useIn(word), Label.safeParse(text)];
      if (use === undefined) return "bad-use";
      if (!label.success) return "bad-label";
      done.add(found.id);
      return setLabel(tx, actor, { walletId: found.id, use, label: label.data });
    };
    const rows: LabelReport[] = [];
    for (const { line, cells } of given) rows.push({ line, wallet: cells[0] ?? "", outcome: await outcomeOf(cells) });
    return { rows };
  });
}
