import { randomUUID } from "node:crypto";
import type { Db } from "@/lib/db/connection";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { walletRequest } from "@/lib/db/tables/wallets";
import { sealNames } from "@/lib/wallets/requests";
import { givenStaff } from "./console";

/** As an import of addresses does. */
export async function nameAddress(db: Db, address: string, reference: string): Promise<void> {
  const staffId = await givenStaff(db, "finance");
  const intentId = randomUUID();
  const request = { tenant: "aurora", intentId };
  const createdAt = new Date();
  const claimed = { kind: "wallets.import", actor: staffId, isProposed: false, createdAt };
  await db.insert(intentClaim).values({ tenant: "aurora", id: intentId, ...claimed });
  const named = sealNames(request, { reference, customer: null });
  const made = { kind: "address", family: "EVM", isForward: true, staffId, createdAt, address } as const;
  await db.insert(walletRequest).values({ ...request, ...named, ...made });
}
