import type { Outcome } from "@/service/antifraud/outcome";
import type { Answer } from "./answer";

/** The answer to a transfer that antifraud has seen (interface: Errors › Gateway errors). */
export function screenedAnswer<Done>(outcome: Outcome<Done>, done: (done: Done) => Answer): Answer {
  switch (outcome.kind) {
    case "done":
      return done(outcome.done);
    case "held": {
      const { id: antifraudId, expiresAt } = outcome.case;
      const message = "The transaction is held until it is approved";
      const pendingExpiresAt = expiresAt?.toISOString();
      return { status: 202, body: { error: "TRANSACTION_PENDING_APPROVAL", message, antifraudId, pendingExpiresAt } };
    }
    case "blocked": {
      const message = "The transaction was blocked by antifraud";
      return { status: 403, body: { error: "TRANSACTION_BLOCKED", message, antifraudId: outcome.case.id } };
    }
  }
}
