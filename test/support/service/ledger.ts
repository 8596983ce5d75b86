import { expect } from "vitest";
import type { Reader } from "@/service/store/transaction";
import { checkBooks } from "@/service/ledger/check";

/** For `afterEach` of every suite that moves money: whatever the test did, the books must prove right. */
export async function expectBalancedBooks(db: Reader): Promise<void> {
  expect(await checkBooks(db)).toMatchObject({ balanced: true, drift: 0 });
}
