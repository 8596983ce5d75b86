import { type AntifraudCase, newCase } from "@/service/antifraud/case";
import type { TransferDetails } from "@/service/antifraud/details";
import { judge } from "@/service/antifraud/judge";
import type { Outcome } from "@/service/antifraud/outcome";
import type { AccountFacts } from "@/service/accounts/directory";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import type { Claim } from "@/service/idempotency/claim";
import type { FirstAnswer } from "@/service/idempotency/first-answer";
import type { Books } from "@/service/ledger/books";
import type { LedgerAccount } from "@/service/ledger/movement";
import type { externalTransfer } from "./schema";
import { transferMovement } from "./transfer-movement";

/** What a transfer comes to, by the books; entered there already. */
export type Ruling = {
  answer: FirstAnswer;
  opened?: AntifraudCase;
  external?: typeof externalTransfer.$inferInsert;
};

type Page = Pick<Books, "check" | "enter">;

/** A transfer on its way into the ledger. */
export type Order = {
  call: Call;
  claim: Claim | null;
  /** The accounts it needs under lock. */
  accounts: readonly LedgerAccount[];
  /** Decides and enters; throws the refusal. Enters nothing when it throws. */
  rule: (books: Page) => Ruling;
};

export type Transferred = { transactionId: string };

/** How one asks for a transfer: under which key, if any, and what the answer to each outcome is. */
export type Asking = { claim: Claim | null; answer: (outcome: Outcome<Transferred>) => FirstAnswer };

/** `from` and `to` are undefined when the tenant has no such account; `to` null is another institution. */
export type Transfer = Asking & {
  details: TransferDetails;
  from: AccountFacts | undefined;
  to: AccountFacts | undefined | null;
};

const CENTS_DECIMALS = 2;

type Sides = { from: AccountFacts; to: LedgerAccount };

function sidesOf({ accounts }: Call, { from, to }: Transfer): Sides | null {
  return from && to !== undefined ? { from, to: to === null ? accounts.world : to.available } : null;
}

/** A transfer as an order: business rules first, then antifraud (our assumption: order of the checks). */
export function orderOf(call: Call, transfer: Transfer): Order {
  const { claim, details, answer } = transfer;
  const sides = sidesOf(call, transfer);
  const verdict = judge(call.settings.antifraud.reais, BigInt(details.cents), CENTS_DECIMALS);

  const rule = (books: Page): Ruling => {
    if (!sides) throw notFound("The banking account was not found");
    const { available, blocked } = sides.from;
    const movement = transferMovement(call, details, { type: details.type, from: available, to: sides.to });
    if (verdict !== "pass") books.check(movement);
    switch (verdict) {
      case "pass": {
        books.enter(movement);
        const ruling = { answer: answer({ kind: "done", done: { transactionId: movement.id } }) };
        const { recipient } = details;
        return recipient ? { ...ruling, external: { transactionId: movement.id, recipient } } : ruling;
      }
      case "hold": {
        const opened = newCase(call, "HELD", details);
        books.enter(transferMovement(call, details, { type: "HOLD", from: available, to: blocked }));
        return { answer: answer({ kind: "held", case: opened }), opened };
      }
      case "block": {
        const opened = newCase(call, "BLOCKED", details);
        return { answer: answer({ kind: "blocked", case: opened }), opened };
      }
    }
  };
  const held = sides && verdict === "hold" ? [sides.from.blocked] : [];
  return { call, claim, accounts: sides ? [sides.from.available, sides.to, ...held] : [], rule };
}
