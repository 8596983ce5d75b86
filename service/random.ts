import { randomFillSync } from "node:crypto";

/** Gives that many unpredictable bytes. */
export type Random = (sizeBytes: number) => Uint8Array;

export const machineRandom: Random = (sizeBytes) => randomFillSync(new Uint8Array(sizeBytes));

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** A version 4 UUID. */
export function uuid(random: Random): string {
  const bytes = random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = hex(bytes);
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

/** A secret that can stand in a URL; 32 bytes unless told. */
export function secretText(random: Random, sizeBytes = 32): string {
  return Buffer.from(random(sizeBytes)).toString("base64url");
}
