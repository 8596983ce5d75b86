import type { Db } from "@/service/store/db";
import { transaction } from "@/service/store/transaction";
import { openAccounts } from "./account";
import { KNOWN_ASSETS, WORLD } from "./asset";
import { ledgerAsset } from "./schema";

/** Makes sure that every known asset is there, with its account for the rest of the world. */
export async function openLedger(db: Db): Promise<void> {
  await transaction(db, async (tx) => {
    await tx
      .insert(ledgerAsset)
      .values([...KNOWN_ASSETS])
      .onConflictDoNothing();
    await openAccounts(
      tx,
      KNOWN_ASSETS.map(({ id }) => ({ holder: WORLD, assetId: id, kind: "outside" })),
    );
  });
}
