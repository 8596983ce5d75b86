import { isTooDeep } from "@/lib/contract/depth";
import { parseJson } from "@/lib/contract/json";
import { isStorable } from "@/lib/contract/shared";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { sha256 } from "@/lib/hash";
import { type BodyFault, readBody } from "./body";
import { clientOf, hintOf } from "./hint";
import type { Delivery } from "./keep";
import type { Refusal } from "./refusals";
import { signerOf } from "./signature";

export const MOST_BYTES = 256 * 1024;
const MOST_LEVELS = 32;
const NAME_MAX_LENGTH = 200;

/** All that taking a delivery in has to do with the rest of the world. */
export type IntakeDoor = {
  /** The secrets of the tenant with this Client_ID, the one in force first; null for none of ours. */
  secretsOf: (clientId: string) => readonly string[] | null;
  /** Throws when it could not be kept: then the provider sends it again. */
  keep: (delivery: Delivery) => Promise<void>;
  refuse: (tenant: string | null, why: Refusal) => void;
  /** Something of this tenant waits to be looked at. */
  ring: (tenant: string) => void;
  /** Aborted when a body has had its time. */
  expiry: () => AbortSignal;
};

const FAULTS: Readonly<Record<BodyFault, number>> = { "too-large": 413, "too-slow": 408, cut: 400 };

const strictly = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

async function textOf(bytes: Uint8Array): Promise<string | null> {
  const [decoded] = await Promise.allSettled([Promise.resolve(bytes).then((given) => strictly.decode(given))]);
  return decoded.status === "fulfilled" ? decoded.value : null;
}

/** The JSON in it; undefined when it is none, or nests so deep that reading it would be an attack. */
async function jsonOf(text: string): Promise<unknown> {
  if (isTooDeep(text, MOST_LEVELS)) return undefined;
  const [parsed] = await Promise.allSettled([Promise.resolve(text).then(parseJson)]);
  return parsed.status === "fulfilled" ? parsed.value : undefined;
}

/** A header as the sender meant it: what came as Latin-1 and is UTF-8 was written as that. One too long goes by its hash. */
async function nameOf(header: string | null): Promise<string | null> {
  if (header === null || header.trim() === "") return null;
  const meant = (await textOf(Buffer.from(header, "latin1"))) ?? header;
  const name = isStorable(meant) ? meant.trim() : header.trim();
  return name.length > NAME_MAX_LENGTH ? `sha256:${sha256(name)}` : name;
}

/**
 * Takes one delivery in (interface: Events › Delivery rules) and returns the status to answer with: 204 once it is kept, and
 * only then. Who sends to nobody, who cannot sign and who signs for somebody else hear the same 401, after the same work.
 * What the body says decides nothing: it is kept, and lets the right things be looked at again.
 */
export async function takeDelivery(door: IntakeDoor, clientId: string, request: Request): Promise<number> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) return FAULTS["too-large"];
  const bytes = await readBody(request.body, { mostBytes: MOST_BYTES, expired: door.expiry() });
  if (typeof bytes === "string") return FAULTS[bytes];
  const secrets = door.secretsOf(clientId);
  const tenant = secrets === null ? null : clientId;
  const signer = signerOf(secrets ?? [], bytes, request.headers.get(WEBHOOK_HEADERS.signature) ?? "");
  if (signer === null || tenant === null) {
    door.refuse(tenant, "signature");
    return 401;
  }
  const body = await textOf(bytes);
  const payload = body === null ? undefined : await jsonOf(body);
  if (body === null || payload === undefined) {
    door.refuse(tenant, "unreadable");
    return 400;
  }
  const event = (await nameOf(request.headers.get(WEBHOOK_HEADERS.event))) ?? "";
  await door.keep({
    tenant,
    event,
    eventId: await nameOf(request.headers.get(WEBHOOK_HEADERS.id)),
    body,
    sizeBytes: bytes.byteLength,
    isByPreviousSecret: signer === "previous",
    isForeign: (clientOf(payload) ?? tenant) !== tenant,
    hint: hintOf(event, payload),
  });
  door.ring(tenant);
  return 204;
}
