import { randomUUID } from "node:crypto";
import { and, eq, inArray, or, sql } from "drizzle-orm";
import type { z } from "zod";
import { recordAll } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import type { ChainFamily } from "@/lib/contract/crypto";
import { publishAll } from "@/lib/db/publish";
import { lockByHashes } from "@/lib/db/lease";
import { lookupHashes } from "@/lib/db/seal";
import { saveJudged } from "@/lib/db/slices";
import { claimMade } from "@/lib/provider/intents/claim";
import { db, type Tx } from "@/lib/db/connection";
import { walletRequest } from "@/lib/db/tables/wallets";
import { AddressOrder, isFamily, type WalletFile } from "./inputs";
import { judgeRows, walletRows } from "./named-wallets";
import { walletRequestObject, sealNames } from "./requests";
import type { AddressReport } from "./view";

type Maker = Actor<"wallets:create">;
type FileRow = { walletId: string; address: string; family: ChainFamily; reference: string; customer: string | null };

type KeptAddress = Pick<typeof walletRequest.$inferSelect, "walletId" | "address" | "family" | "referenceHash">;

async function readKept(tx: Tx, tenant: string, named: readonly FileRow[]): Promise<KeptAddress[]> {
  const { walletId, address, family, referenceHash } = walletRequest;
  const ids = named.map((one) => one.walletId);
  const addresses = named.map((one) => one.address.toLowerCase());
  return tx
    .select({ walletId, address, family, referenceHash })
    .from(walletRequest)
    .where(
      and(
        eq(walletRequest.tenant, tenant),
        eq(walletRequest.kind, "address"),
        or(inArray(walletId, ids), inArray(sql`lower(${address})`, addresses)),
      ),
    );
}

const isOf = (kept: KeptAddress, { walletId, address, family }: FileRow) =>
  kept.walletId === walletId || (kept.family === family && kept.address?.toLowerCase() === address.toLowerCase());

async function keepAddresses(
  tx: Tx,
  { tenant, id: staffId }: Maker,
  wanted: readonly FileRow[],
): Promise<("saved" | "same" | "taken")[]> {
  await lockByHashes(tx, `wallet addresses of a file, ${tenant}`);
  const kept = await readKept(tx, tenant, wanted);
  const made: (FileRow & KeptAddress & { intentId: string })[] = [];
  const outcomes = wanted.map((one) => {
    const hashes = lookupHashes(one.reference);
    const earlier = [...kept, ...made].filter((standing) => isOf(standing, one));
    if (earlier.some(({ referenceHash }) => referenceHash !== null && hashes.includes(referenceHash))) return "same";
    if (earlier.length > 0) return "taken";
    const intentId = randomUUID();
    made.push({ ...one, intentId, ...sealNames({ tenant, intentId }, one) });
    return "saved";
  });
  if (made.length === 0) return outcomes;
  const claimed = { tenant, kind: "wallets.import", actor: staffId };
  await claimMade(
    tx,
    made.map((one) => ({ ...claimed, id: one.intentId, bytes: JSON.stringify(one) })),
  );
  const common = { tenant, kind: "address", isForward: true, staffId, createdAt: sql`clock_timestamp()` } as const;
  await tx.insert(walletRequest).values(made.map((one) => ({ ...one, ...common })));
  await publishAll(tx, { tenant, topic: "wallets", objects: made.map((one) => one.walletId) });
  const what = { tenant, actor: staffId, code: "wallets.import", outcome: "DONE" } as const;
  await recordAll(
    tx,
    made.map(({ intentId, family }) => ({
      ...what,
      object: walletRequestObject(intentId),
      detail: { network: family },
    })),
  );
  return outcomes;
}

/** Columns: wallet (address or id), reference, customer. Reports each row; a bad one stops no other. */
export async function importAddressFile(
  actor: Maker,
  { csv }: z.output<typeof WalletFile>,
): Promise<{ rows: AddressReport[] }> {
  const given = walletRows(csv);
  const store = await db();
  const judged = await judgeRows(
    { store, tenant: actor.tenant, least: 2, most: 3 },
    given,
    (named, [typed = "", of = ""]) => {
      const { id: walletId, address, family } = named;
      if (!isFamily(family)) return { outcome: "unknown-wallet" };
      const reference = AddressOrder.shape.reference.safeParse(typed);
      if (!reference.success) return { outcome: "bad-reference" };
      const customer = AddressOrder.shape.customer.safeParse(of);
      if (!customer.success) return { outcome: "bad-customer" };
      return { order: { walletId, address, family, reference: reference.data, customer: customer.data } };
    },
  );
  const outcomes = await saveJudged(store, judged, (tx, slice) => keepAddresses(tx, actor, slice));
  return {
    rows: given.map(({ line, cells }, at) => ({ line, address: cells[0] ?? "", outcome: outcomes[at] ?? "unsaved" })),
  };
}
