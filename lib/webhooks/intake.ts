import "server-only";
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { isTooDeep } from "@/lib/contract/depth";
import { parseJson } from "@/lib/contract/json";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { publish } from "@/lib/db/publish";
import { log } from "@/lib/log/log";
import { noteDelivery } from "@/lib/metrics/note";
import { triggerWatch } from "@/lib/watch/watch";
import { env, tenantOf } from "@/lib/settings/env";
import { rethrowWithoutParameters, withoutParameters } from "@/lib/db/error";
import { lookupHash, lookupHashes, seal } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import { jsonOrUndefined } from "@/lib/text/decode";
import { readCounted } from "@/lib/text/read-counted";
import { utf8OrNull } from "@/lib/text/text-file";
import { keptHeaders, nameOf, type ReadHeader, refusedRequest, signatureForm } from "./headers";
import { later, refusals, type RefusedRequest } from "./refusals";
import type { KeptHeaders } from "@/lib/db/enums/webhooks";
import { asleepUntil } from "@/lib/lab/receiver";
import { ANSWERED, type Refusal } from "./view";
import { clientOf, type ChangeNotice, hintKeyOf, noticeOf } from "./watch";
import { webhookEvent } from "@/lib/db/tables/webhooks";

/** Events within this time trigger once. */
const GATHER_MS = 400;

export function createDebounce(
  wake: (tenant: string) => Promise<void>,
  after: (ms: number, run: () => void) => void,
): (tenant: string) => void {
  const ringing = new Set<string>();
  return (tenant) => {
    if (ringing.has(tenant)) return;
    ringing.add(tenant);
    after(GATHER_MS, () => {
      ringing.delete(tenant);
      void wake(tenant);
    });
  };
}

type Delivery = {
  tenant: string;
  event: string;
  eventId: string | null;
  headers: KeptHeaders;
  body: string;
  sizeBytes: number;
  isByPreviousSecret: boolean;
  isForeign: boolean;
  notice: ChangeNotice | null;
};

/** By its id (interface: Events › Delivery rules); one without an id by its body, among those without. False for a new event. */
async function noteArrival(store: Db, { tenant, eventId, body }: Delivery): Promise<boolean> {
  const hasBody = inArray(webhookEvent.bodyHash, lookupHashes(body));
  const isSame = eventId === null ? and(isNull(webhookEvent.eventId), hasBody) : eq(webhookEvent.eventId, eventId);
  const known = store
    .select({ id: webhookEvent.id })
    .from(webhookEvent)
    .where(and(eq(webhookEvent.tenant, tenant), isSame))
    .orderBy(desc(webhookEvent.seq))
    .limit(1);
  const counted = await store
    .update(webhookEvent)
    .set({
      lastAt: sql`clock_timestamp()`,
      arrivals: sql`${webhookEvent.arrivals} + 1`,
      otherBodies: sql`${webhookEvent.otherBodies} + (not ${hasBody})::int`,
    })
    .where(and(eq(webhookEvent.tenant, tenant), inArray(webhookEvent.id, known)))
    .returning({ id: webhookEvent.id });
  return counted.length > 0;
}

async function saveNew(store: Db, delivery: Delivery): Promise<boolean> {
  const { tenant, event, eventId, headers, body, sizeBytes, isByPreviousSecret, isForeign, notice } = delivery;
  const id = randomUUID();
  const usable = isForeign ? null : notice;
  const unusedState = isForeign ? "FOREIGN" : "KEPT";
  const stored = await store
    .insert(webhookEvent)
    .values({
      tenant,
      id,
      event,
      eventId,
      headers,
      bodyHash: lookupHash(body),
      bodySealed: seal(body, { column: "webhook_event.body_sealed", row: [tenant, id] }),
      sizeBytes,
      isByPreviousSecret,
      state: usable === null ? unusedState : "WAITING",
      wakes: usable?.wakes ?? null,
      hintKey: usable === null ? null : lookupHash(hintKeyOf(usable)),
    })
    .onConflictDoNothing()
    .returning({ id: webhookEvent.id });
  return stored.length > 0;
}

/** interface: Events › Delivery rules. Only the first copy is acted upon. */
export async function saveDelivery(store: Db, delivery: Delivery): Promise<void> {
  if (await noteArrival(store, delivery)) return;
  // Of concurrent copies one is stored, and the others are counted.
  if (!(await saveNew(store, delivery))) await noteArrival(store, delivery);
}

type Signer = "current" | "previous";

const MAC_BYTES = 32;
/** Compared in place of a secret, so that timing reveals nothing. */
const NOBODY = randomBytes(MAC_BYTES);

const macOf = (secret: string | Uint8Array, body: Uint8Array) => createHmac("sha256", secret).update(body).digest();

/** interface: Events › Delivery rules (lower-case hex HMAC-SHA256). Constant time, with one secret, two or none. */
function signerOf(secrets: readonly string[], body: Uint8Array, signature: string): Signer | null {
  const isWellFormed = signatureForm(signature) === "well-formed";
  const given = isWellFormed ? Buffer.from(signature, "hex") : Buffer.alloc(MAC_BYTES);
  const [current, previous] = [0, 1].map((place) => timingSafeEqual(macOf(secrets[place] ?? NOBODY, body), given));
  if (!isWellFormed) return null;
  if (current === true && secrets[0] !== undefined) return "current";
  return previous === true && secrets[1] !== undefined ? "previous" : null;
}

export const MAX_BYTES = 256 * 1024;
const MAX_LEVELS = 32;

export type IntakeDeps = {
  /** The current one first; null for an unknown tenant. */
  secretsOf: (clientId: string) => readonly string[] | null;
  /** Throws when it could not be stored, so that the provider retries. */
  save: (delivery: Delivery) => Promise<void>;
  refuse: (tenant: string | null, why: Refusal, request: RefusedRequest) => void;
  schedule: (tenant: string) => void;
  expiry: () => AbortSignal;
};

const jsonOf = (text: string): unknown => (isTooDeep(text, MAX_LEVELS) ? undefined : jsonOrUndefined(text, parseJson));

/** 204 only once it is stored. Unknown tenants and bad signatures get the same 401 after the same work. */
export async function takeDelivery(deps: IntakeDeps, clientId: string, request: Request): Promise<number> {
  const isLong = Number(request.headers.get("content-length") ?? 0) > MAX_BYTES;
  const bytes = isLong
    ? "too-large"
    : await readCounted(request.body, { mostBytes: MAX_BYTES, expired: deps.expiry() });
  const secrets = deps.secretsOf(clientId);
  const tenant = secrets === null ? null : clientId;
  const headerOf: ReadHeader = (name) => request.headers.get(name);
  const refuse = (why: Refusal, whole: Uint8Array | null): number => {
    deps.refuse(tenant, why, refusedRequest(headerOf, whole));
    return ANSWERED[why];
  };
  if (typeof bytes === "string") return refuse(bytes, null);
  const signature = headerOf(WEBHOOK_HEADERS.signature) ?? "";
  const signer = signerOf(secrets ?? [], bytes, signature);
  if (signer === null || tenant === null) return refuse(signature.trim() === "" ? "unsigned" : "signature", bytes);
  const body = utf8OrNull(bytes);
  const payload = body === null ? undefined : jsonOf(body);
  if (body === null || payload === undefined) return refuse("unreadable", bytes);
  const event = nameOf(headerOf(WEBHOOK_HEADERS.event)) ?? "";
  await deps.save({
    tenant,
    event,
    eventId: nameOf(headerOf(WEBHOOK_HEADERS.id)),
    headers: keptHeaders(headerOf),
    body,
    sizeBytes: bytes.byteLength,
    isByPreviousSecret: signer === "previous",
    isForeign: (clientOf(payload) ?? tenant) !== tenant,
    notice: noticeOf(event, payload),
  });
  deps.schedule(tenant);
  return 204;
}

const BODY_WITHIN_MS = 10_000;

/** Without the wake-up, the regular sweep would handle it later. */
async function wakeWatch(tenant: string): Promise<void> {
  await db()
    .then((store) => publish(store, { tenant, topic: "webhooks" }))
    .then(() => triggerWatch(tenant, "webhooks"))
    .catch((error: unknown) => log.warn({ tenant, err: withoutParameters(error) }, "watch not hurried"));
}

/** The same work for unknown tenants, so that timing reveals nothing. */
function secretsOf(clientId: string): readonly string[] | null {
  const known = tenantOf(clientId);
  const { webhookSecrets } = env().readSecrets((known ?? env().tenants[0]).clientId);
  return known === undefined ? null : webhookSecrets;
}

declare global {
  var retaguardaIntake: IntakeDeps | undefined;
}

function openIntake(): IntakeDeps {
  return {
    secretsOf,
    save: async (delivery) => saveDelivery(await db(), delivery),
    refuse: (tenant, why, seen) => refusals().refuse(tenant, why, seen),
    schedule: createDebounce(wakeWatch, later),
    expiry: () => AbortSignal.timeout(BODY_WITHIN_MS),
  };
}

const NOT_STORED = { "cache-control": "no-store" };

/** interface: Events › Delivery rules */
export async function receiveDelivery(clientId: string, request: Request): Promise<Response> {
  globalThis.retaguardaIntake ??= openIntake();
  // As a receiver that is gone: nothing is read of it, kept or counted.
  if (asleepUntil(clientId) !== null) return new Response(null, { status: 503, headers: NOT_STORED });
  const status = await takeDelivery(globalThis.retaguardaIntake, clientId, request).catch((error: unknown) => {
    noteDelivery(tenantOf(clientId)?.clientId ?? null, "failed");
    return rethrowWithoutParameters(error);
  });
  if (status === 204) noteDelivery(clientId, "accepted");
  return new Response(null, { status, headers: NOT_STORED });
}
