import { maskWithin } from "@/lib/contract/document";
import { isStorable } from "@/lib/contract/shared";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { lookupHash } from "@/lib/db/seal";
import { KEPT_HEADERS, type KeptHeaders, type SignatureForm } from "@/lib/db/enums/webhooks";
import { sha256 } from "@/lib/text/decode";
import { HIDDEN, isSecret } from "@/lib/text/shown-body";
import { utf8OrNull } from "@/lib/text/text-file";
import type { RefusedRequest } from "./refusals";

const NAME_MAX_LENGTH = 200;
/** Enough to recognise a signature by, and nothing to sign with. */
const SIGNATURE_DIGITS = 8;

const FINGERPRINT_DIGITS = 16;

const HEX_OF_SHA256 = /^[0-9a-f]{64}$/;

/** interface: Events › Delivery rules (lower-case hex, without a prefix). */
export function signatureForm(given: string): SignatureForm {
  if (given.trim() === "") return "absent";
  if (HEX_OF_SHA256.test(given)) return "well-formed";
  if (given.includes(",")) return "several";
  if (/^[\w-]+=./.test(given)) return "prefixed";
  if (/^[0-9a-f]{64}$/i.test(given)) return "capitals";
  return /^[0-9a-f]+$/i.test(given) ? "length" : "not-hex";
}

const meantBy = (header: string): string => utf8OrNull(Buffer.from(header, "latin1")) ?? header;

/** UTF-8 received as Latin-1 is read as UTF-8. A name too long is replaced by its hash. */
export function nameOf(header: string | null): string | null {
  if (header === null || header.trim() === "") return null;
  const meant = meantBy(header);
  const name = isStorable(meant) ? meant.trim() : header.trim();
  return name.length > NAME_MAX_LENGTH ? `sha256:${sha256(name)}` : name;
}

function shownHeader(name: string, value: string): string | null {
  if (name === "x-webhook-signature")
    // What is no signature may be the secret itself.
    return HEX_OF_SHA256.test(value.toLowerCase()) ? `${value.slice(0, SIGNATURE_DIGITS)}…` : null;
  const text = nameOf(value);
  if (text === null || !isStorable(text)) return null;
  return isSecret("", text) ? HIDDEN : maskWithin(text);
}

export type ReadHeader = (name: string) => string | null;

/** What is kept of a delivery's headers: documents masked, no secret, of its signature the beginning. */
export function keptHeaders(valueOf: ReadHeader): KeptHeaders {
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = valueOf(name);
    const shown = value === null ? null : shownHeader(name, value);
    return shown === null ? [] : [[name, shown] as const];
  });
  return Object.fromEntries(kept);
}

/** Of a body's keyed hash, for people to compare. */
export const fingerprintOf = (hash: string): string => hash.slice(hash.indexOf(":") + 1).slice(0, FINGERPRINT_DIGITS);

/** `bytes`: its body, null where it did not arrive whole. */
export function refusedRequest(headerOf: ReadHeader, bytes: Uint8Array | null): RefusedRequest {
  return {
    form: bytes === null ? null : signatureForm(headerOf(WEBHOOK_HEADERS.signature) ?? ""),
    event: nameOf(headerOf(WEBHOOK_HEADERS.event)) ?? "",
    eventId: nameOf(headerOf(WEBHOOK_HEADERS.id)),
    headers: keptHeaders(headerOf),
    sizeBytes: bytes?.byteLength ?? null,
    fingerprint:
      bytes === null
        ? null
        : fingerprintOf(lookupHash(utf8OrNull(bytes) ?? `latin1:${Buffer.from(bytes).toString("latin1")}`)),
  };
}
