import { and, eq, gt } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { provider } from "@/lib/provider/client";
import { introspectToken, revokeToken } from "@/lib/provider/operations";
import { maskWithin } from "@/lib/contract/document";
import { db } from "@/lib/db/connection";
import { storeTimeBefore } from "@/lib/db/clock";
import { holdLock } from "@/lib/db/lock";
import { auditEvent } from "@/lib/db/tables/audit";
import { isoOf } from "@/lib/text/read-time";
import type { OwnToken } from "./view";

type Manager = Actor<"settings:manage">;

const none = { state: "none", reason: "", clientId: "", issuedAt: "", expiresAt: "", scope: "" } as const;

const LAST_SECOND = 8.64e12;

const momentOf = (epochSeconds: number | null, text: string): string =>
  epochSeconds === null || Math.abs(epochSeconds) > LAST_SECOND
    ? maskWithin(isoOf(text))
    : new Date(epochSeconds * 1_000).toISOString();

const ONCE_IN_MS = 10_000;

type Question = { code: "token.check"; outcome: "DONE" } | { code: "token.revoke"; outcome: "INTENT" };

/** Audits a token check before it is sent, once in ten seconds per tenant. Throws rate-limited `token-asked`. */
async function noteQuestion({ tenant, id }: Manager, question: Question): Promise<void> {
  const { code, outcome } = question;
  await (
    await db()
  ).transaction(async (tx) => {
    await holdLock(tx, `${tenant} ${code}`);
    const isIt = and(eq(auditEvent.tenant, tenant), eq(auditEvent.code, code), eq(auditEvent.outcome, outcome));
    const recently = await tx.$count(auditEvent, and(isIt, gt(auditEvent.at, storeTimeBefore(ONCE_IN_MS))));
    if (recently > 0)
      throw new AppError("rate-limited", { code: "token-asked", retryAfterMs: ONCE_IN_MS, mayHaveExecuted: false });
    await record(tx, { tenant, actor: id, code, outcome });
  });
}

export async function checkToken(actor: Manager): Promise<OwnToken> {
  await noteQuestion(actor, { code: "token.check", outcome: "DONE" });
  const asked = await provider.askOfToken(actor, introspectToken);
  if (asked === null) return { ...none, asOf: new Date().toISOString() };
  const { active, reason, client_id: clientId, exp, iat, expires_at, issued_at, scope } = asked.answer;
  return {
    state: active ? "active" : "inactive",
    reason: maskWithin(reason),
    clientId,
    issuedAt: momentOf(iat, issued_at),
    expiresAt: momentOf(exp, expires_at),
    scope,
    asOf: asked.asOf.toISOString(),
  };
}

/** Audited before sending and with its result. Other processes get refused once, or keep theirs. Throws rate-limited `token-asked`. */
export async function revokeOwnToken(actor: Manager): Promise<{ wasHeld: boolean }> {
  const entry = { tenant: actor.tenant, actor: actor.id, code: "token.revoke" } as const;
  await noteQuestion(actor, { code: "token.revoke", outcome: "INTENT" });
  const store = await db();
  try {
    const answered = await provider.askOfToken(actor, revokeToken);
    const wasHeld = answered !== null;
    await record(store, { ...entry, outcome: wasHeld ? "DONE" : "REFUSED" });
    return { wasHeld };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const outcome = error.details.mayHaveExecuted === true ? "UNKNOWN" : "REFUSED";
    await record(store, { ...entry, outcome, detail: { code: error.details.code ?? error.kind } });
    throw error;
  }
}
