import "server-only";
import { record } from "@/lib/audit/record";
import { env, tenantOf } from "@/lib/env";
import { publish } from "@/lib/live/publish";
import { log } from "@/lib/log";
import { rethrowWithoutParameters, withoutParameters } from "@/lib/store/error";
import { db } from "@/lib/store/store";
import { hurryWatch } from "@/lib/watch";
import { createBell } from "./bell";
import { type IntakeDoor, takeDelivery } from "./intake";
import { keepDelivery } from "./keep";
import { createRefusals, type Refused } from "./refusals";

const BODY_WITHIN_MS = 10_000;

async function tellRefused(refused: readonly Refused[]): Promise<void> {
  for (const { tenant, counts } of refused) {
    log.warn({ tenant, refused: counts }, "webhook deliveries refused");
    if (tenant === null) continue;
    const what = { code: "webhooks.refuse", outcome: "REFUSED", actor: "watch:webhooks" } as const;
    const [put] = await Promise.allSettled([db().then((store) => record(store, { ...what, tenant, detail: counts }))]);
    if (put.status === "rejected") log.error({ tenant, err: withoutParameters(put.reason) }, "refusals not on record");
  }
}

/** Screens learn of it, and the watch. That comes by itself, too: when it could not be woken it is only later. */
async function wake(tenant: string): Promise<void> {
  const told = db().then((store) => publish(store, { tenant, topic: "webhooks" }));
  const [woken] = await Promise.allSettled([told.then(() => hurryWatch(tenant, "webhooks"))]);
  if (woken.status === "rejected") log.warn({ tenant, err: withoutParameters(woken.reason) }, "watch not hurried");
}

/** As much work for who is none of ours as for who is: the answer comes as late. */
function secretsOf(clientId: string): readonly string[] | null {
  const known = tenantOf(clientId);
  const { webhookSecrets } = env().readSecrets((known ?? env().tenants[0]).clientId);
  return known === undefined ? null : webhookSecrets;
}

declare global {
  var retaguardaIntake: IntakeDoor | undefined;
}

const after = (ms: number, run: () => void) => void setTimeout(run, ms).unref();

function openIntake(): IntakeDoor {
  return {
    secretsOf,
    keep: async (delivery) => keepDelivery(await db(), delivery),
    refuse: createRefusals(tellRefused, after),
    ring: createBell(wake, after),
    expiry: () => AbortSignal.timeout(BODY_WITHIN_MS),
  };
}

/** Answers a delivery of the provider's to the tenant with this Client_ID (interface: Events › Delivery rules). */
export async function receiveDelivery(clientId: string, request: Request): Promise<Response> {
  globalThis.retaguardaIntake ??= openIntake();
  const status = await takeDelivery(globalThis.retaguardaIntake, clientId, request).catch(rethrowWithoutParameters);
  return new Response(null, { status, headers: { "cache-control": "no-store" } });
}
