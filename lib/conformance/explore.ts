import { and, eq, sql } from "drizzle-orm";
import { recordAccess } from "@/lib/audit/access-log";
import { record } from "@/lib/audit/record";
import { differencesIn } from "@/lib/contract/differences";
import { maskWithin } from "@/lib/contract/document";
import { OpenAnswer } from "@/lib/contract/open-answer";
import { READS } from "@/lib/contract/reads";
import { db } from "@/lib/db/connection";
import { isCustomerObject } from "@/lib/db/enums/privacy";
import { account } from "@/lib/db/tables/customers";
import { kycCase } from "@/lib/db/tables/kyc";
import { wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { fillPath } from "@/lib/provider/address";
import { provider } from "@/lib/provider/client";
import type { Read } from "@/lib/provider/operations";
import { tenantOf } from "@/lib/settings/env";
import { showBody } from "@/lib/text/shown-body";
import { curlOf } from "./curl";
import type { ExplorerRequest } from "./inputs";
import type { Explored } from "./view";

type Explorer = Actor<"explorer:use">;

/** The record that is asked about, where it is one of ours; undefined otherwise. */
async function objectOf({ tenant }: Explorer, { params, query }: ExplorerRequest): Promise<string | undefined> {
  const { accountId, kycUUID } = query;
  const { address } = params;
  const store = await db();
  if (kycUUID !== undefined) {
    const isIt = and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));
    return (await store.$count(kycCase, isIt)) > 0 ? `kyc:${kycUUID}` : undefined;
  }
  if (accountId !== undefined) {
    const isIt = and(eq(account.tenant, tenant), eq(account.accountId, accountId));
    const [found] = await store.select({ ref: account.ref }).from(account).where(isIt).limit(1);
    return found === undefined ? undefined : `account:${found.ref}`;
  }
  if (address === undefined) return undefined;
  const isIt = and(eq(wallet.tenant, tenant), eq(sql`lower(${wallet.address})`, address.toLowerCase()));
  const [found] = await store.select({ id: wallet.id }).from(wallet).where(isIt).limit(1);
  return found === undefined ? undefined : `wallet:${found.id}`;
}

/** A refusal of the provider's is an answer, too; null when there was none. */
function refused(error: unknown): Pick<Explored, "status" | "kind" | "said" | "requestId"> | null {
  if (!(error instanceof AppError) || error.details.status === undefined) return null;
  const { status, requestId = "", providerMessage = "" } = error.details;
  return { status, kind: error.kind, said: maskWithin(providerMessage), requestId };
}

const nothingRead = { waitedMs: null, durationMs: null, sizeBytes: null, verdict: null, body: null };

/**
 * Sends one documented GET for a person: in the budget's lane of people, in the log of calls, and on record before it
 * leaves. Documents in the answer are masked and personal fields hidden. Throws `AppError` when no answer came.
 */
export async function explore(actor: Explorer, asked: ExplorerRequest): Promise<Explored> {
  const { tenant, id } = actor;
  const { read, params, query } = asked;
  const { path, answer: documented } = READS[read];
  const operation = `GET ${path}`;
  const object = await objectOf(actor, asked);
  const about = object === undefined ? {} : { object };
  await record(await db(), {
    tenant,
    actor: id,
    code: "explorer.use",
    outcome: "DONE",
    detail: { operation },
    ...about,
  });
  if (object !== undefined && isCustomerObject(object)) await recordAccess(actor, object);
  const curl = curlOf(tenantOf(tenant)?.baseUrl ?? "", fillPath(path, params), query);
  const openly: Read = { method: "GET", path, documented, answer: OpenAnswer, mayRepeatKeys: true };
  try {
    const answered = await provider.get(actor, openly, { params, query, isFresh: true, ...about });
    const { answer, text, waitedMs, durationMs, requestId, asOf } = answered;
    return {
      operation,
      status: 200,
      kind: "ok",
      said: "",
      waitedMs: Math.round(waitedMs),
      durationMs: Math.round(durationMs),
      sizeBytes: Buffer.byteLength(text),
      requestId,
      asOf: asOf.toISOString(),
      verdict: documented === null ? null : differencesIn(documented, answer),
      body: showBody(answer),
      curl,
    };
  } catch (error) {
    const answered = refused(error);
    if (answered === null) throw error;
    return { operation, ...nothingRead, ...answered, asOf: new Date().toISOString(), curl };
  }
}
