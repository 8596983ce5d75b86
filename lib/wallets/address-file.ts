import { randomUUID } from "node:crypto";
import { and, eq, or, sql } from "drizzle-orm";
import type { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import type { ChainFamily } from "@/lib/contract/crypto";
import { publish } from "@/lib/db/publish";
import { lockByHashes } from "@/lib/db/lease";
import { lookupHashes } from "@/lib/db/seal";
import { claimIntent } from "@/lib/provider/intents/claim";
import { db, type Tx } from "@/lib/db/connection";
import { walletRequest } from "@/lib/db/tables/wallets";
import { AddressOrder, isFamily, type WalletFile } from "./inputs";
import { findNamed, walletRows } from "./named-wallets";
import { sealNames } from "./requests";
import type { AddressReport } from "./view";

type Maker = Actor<"wallets:create">;
type Made = { walletId: string; address: string; family: ChainFamily; reference: string; customer: string | null };

async function keepAddress(tx: Tx, { tenant, id: staffId }: Maker, made: Made): Promise<"saved" | "same" | "taken"> {
  const { walletId, address, family, reference, customer } = made;
  const isOfAddress = and(
    eq(walletRequest.family, family),
    eq(sql`lower(${walletRequest.address})`, address.toLowerCase()),
  );
  const earlier = await tx
    .select({ hash: walletRequest.referenceHash })
    .from(walletRequest)
    .where(
      and(
        eq(walletRequest.tenant, tenant),
        eq(walletRequest.kind, "address"),
        or(eq(walletRequest.walletId, walletId), isOfAddress),
      ),
    );
  const hashes = lookupHashes(reference);
  if (earlier.some(({ hash }) => hash !== null && hashes.includes(hash))) return "same";
  if (earlier.length > 0) return "taken";
  const intentId = randomUUID();
  const claimed = { tenant, id: intentId, kind: "wallets.import", actor: staffId };
  await claimIntent(tx, { ...claimed, bytes: JSON.stringify(made), isProposed: false });
  await tx.insert(walletRequest).values({
    tenant,
    intentId,
    kind: "address",
    family,
    isForward: true,
    ...sealNames({ tenant, intentId }, { reference, customer }),
    staffId,
    createdAt: sql`clock_timestamp()`,
    walletId,
    address,
  });
  await publish(tx, { tenant, topic: "wallets", object: walletId });
  await record(tx, {
    tenant,
    actor: staffId,
    code: "wallets.import",
    outcome: "DONE",
    object: `wallet-request:${intentId}`,
    detail: { network: family },
  });
  return "saved";
}

/** Columns: wallet (address or id), reference, customer. Each row says what became of it; a bad one stops no other. */
export async function importAddressFile(
  actor: Maker,
  { csv }: z.output<typeof WalletFile>,
): Promise<{ rows: AddressReport[] }> {
  const given = walletRows(csv);
  return (await db()).transaction(async (tx) => {
    await lockByHashes(tx, `wallet addresses of a file, ${actor.tenant}`);
    const named = await findNamed(
      tx,
      actor.tenant,
      given.map(({ cells: [name = ""] }) => name),
    );
    const done = new Set<string>();
    const outcomeOf = async ([name = "", ...texts]: readonly string[]): Promise<AddressReport["outcome"]> => {
      const [found, ...more] = named(name);
      if (found === undefined || !isFamily(found.family)) return "unknown-wallet";
      if (more.length > 0) return "many-wallets";
      if (done.has(found.id)) return "repeated";
      const reference = AddressOrder.shape.reference.safeParse(texts[0] ?? "");
      if (!reference.success) return "bad-reference";
      const customer = AddressOrder.shape.customer.safeParse(texts[1] ?? "");
      if (!customer.success) return "bad-customer";
      done.add(found.id);
      const { id: walletId, address, family } = found;
      return keepAddress(tx, actor, { walletId, address, family, reference: reference.data, customer: customer.data });
    };
    const rows: AddressReport[] = [];
    for (const { line, cells } of given) rows.push({ line, address: cells[0] ?? "", outcome: await outcomeOf(cells) });
    return { rows };
  });
}
