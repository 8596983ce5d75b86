import { type AntifraudCase, newCase, openCases } from "@/service/antifraud/case";
import type { Call } from "@/service/context";
import { openBooks } from "@/service/ledger/books";
import type { Tx } from "@/service/store/db";
import { heldAmount } from "./held-amount";
import type { ChainMove } from "./move-on-chain";

type Detained = { kind: "held" | "blocked"; case: AntifraudCase };

/**
 * Opens the case of a native transfer that antifraud did not let pass. A held one's amount and fee leave the wallet's
 * balance until it is decided, so that nothing can stand in the way of its release. 422 when the wallet has too little.
 */
export async function detain(
  call: Call,
  tx: Tx,
  { move, verdict }: { move: ChainMove; verdict: "hold" | "block" },
): Promise<Detained> {
  const { network, units, fee, from, to } = move;
  if (!from.wallet) throw new Error("only a wallet's transfers are judged");
  const details = {
    kind: "crypto-transfer",
    walletId: from.wallet.id,
    network,
    to: to.address,
    units: String(units),
    fee: String(fee),
  } as const;
  const movement = await heldAmount(call, tx, { type: "HOLD", details });
  const accounts = movement.lines.map(({ account }) => account);
  const books = await openBooks(call, tx, accounts);
  books.check(movement);
  if (verdict === "hold") books.enter(movement);
  await books.write();
  const opened = newCase(call, verdict === "hold" ? "HELD" : "BLOCKED", details);
  await openCases(call, tx, [opened]);
  return { kind: verdict === "hold" ? "held" : "blocked", case: opened };
}
