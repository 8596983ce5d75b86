import { createHmac, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, vi } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { log } from "@/lib/log/log";
import { watchState } from "@/lib/db/tables/watch";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenService, givenStore } from "./console";
import { sweepOnce } from "@/lib/watch/watch";
import { personRequest } from "@/test/support/service/accounts";
import { type IntakeDeps, takeDelivery, saveDelivery } from "@/lib/webhooks/intake";
import type { Refusal } from "@/lib/webhooks/view";
import { expectedEvent, webhookEvent } from "@/lib/db/tables/webhooks";
import { webhookWatch } from "@/lib/webhooks/watch";

export const SECRET = "the secret that the provider signs with";
export const PREVIOUS = "the secret that it signed with before";

export const signed = (body: string | Uint8Array, secret = SECRET): string =>
  createHmac("sha256", secret).update(body).digest("hex");

type Sent = {
  body?: BodyInit;
  event?: string;
  /** Null: without the header. */
  id?: string | null;
  signature?: string | null;
  headers?: Record<string, string>;
};

/** A delivery as the provider makes it; each with its own id by default. */
export function deliveryOf(payload: unknown, sent: Sent = {}): Request {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const { body = text, event = "onboarding-create", id = randomUUID(), signature = signed(text), headers } = sent;
  const names = { [WEBHOOK_HEADERS.event]: event, [WEBHOOK_HEADERS.id]: id, [WEBHOOK_HEADERS.signature]: signature };
  const given = Object.entries(names).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return new Request("https://desk.example/api/hooks/aurora", {
    method: "POST",
    body,
    headers: { ...Object.fromEntries(given), ...headers },
    ...(body instanceof ReadableStream && { duplex: "half" }),
  });
}

type Noted = { deps: IntakeDeps; refused: (readonly [tenant: string | null, why: Refusal])[]; rung: string[] };

/** An intake of two tenants over the store, which notes its refusals and wake-ups. */
export function givenIntake(db: Db, changes: Partial<IntakeDeps> = {}): Noted {
  const secrets = new Map([
    ["aurora", [SECRET, PREVIOUS]],
    ["boreal", ["another tenant's secret"]],
    ["silent", []],
  ]);
  const refused: Noted["refused"] = [];
  const rung: string[] = [];
  const deps: IntakeDeps = {
    secretsOf: (clientId) => secrets.get(clientId) ?? null,
    save: (delivery) => saveDelivery(db, delivery),
    refuse: (tenant, why) => void refused.push([tenant, why]),
    schedule: (tenant) => void rung.push(tenant),
    expiry: () => new AbortController().signal,
    ...changes,
  };
  return { deps, refused, rung };
}

/** Lets time pass for the store. */
export async function pass(db: Db, ms: number): Promise<void> {
  const by = sql`${ms} * interval '1 millisecond'`;
  await db.update(webhookEvent).set({
    receivedAt: sql`received_at - ${by}`,
    doneAt: sql`done_at - ${by}`,
    nextTryAt: sql`next_try_at - ${by}`,
  });
  await db.update(expectedEvent).set({ seenAt: sql`seen_at - ${by}`, arrivedAt: sql`arrived_at - ${by}` });
  await db.update(watchState).set({
    begunAt: sql`begun_at - ${by}`,
    asOf: sql`as_of - ${by}`,
    memory: sql`case when memory ? 'since' then jsonb_set(memory, '{since}', '"1970-01-01T00:00:00.000Z"') else memory end`,
  });
}

export type DeliveryFixture = Awaited<ReturnType<typeof givenDeliveries>>;

/** A desk with deliveries from its provider; `asked` lists the resulting calls by onboarding, else by path. */
export async function givenDeliveries() {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  givenEnv();
  const db = await givenStore();
  const asked: string[] = [];
  const service = await givenService(({ url }) => {
    const { pathname, searchParams } = new URL(url);
    if (!pathname.includes("/authentication/")) asked.push(searchParams.get("onBoardingId") ?? pathname);
  });
  service.clock.set(Date.now());
  return {
    db,
    service,
    asked,
    deliver: async (payload: object, event = "onboarding-create") =>
      expect(await takeDelivery(givenIntake(db).deps, "aurora", deliveryOf(payload, { event }))).toBe(204),
    sweep: () => sweepOnce(webhookWatch, "aurora"),
    /** The id of an onboarding; each `n` is another person's. */
    requestAccount: async (n: number) => {
      const body = personRequest(completeCpf(String(310_000_100 + n)));
      const answer = await service.send("POST", "/v1/bank-accounts/create", { body });
      return AccountRequested.parse(answer.body).data.body.onBoardingId;
    },
  };
}
