import { randomFillSync } from "node:crypto";

export type Random = (sizeBytes: number) => Uint8Array;

const POOL_BYTES = 8_192;

/** In larger parts, since each draw is a system call; no byte is used twice or kept. */
function pooled(): Random {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return (sizeBytes) => {
    if (sizeBytes > POOL_BYTES) return randomFillSync(new Uint8Array(sizeBytes));
    if (used + sizeBytes > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const given = pool.slice(used, used + sizeBytes);
    pool.fill(0, used, used + sizeBytes);
    used += sizeBytes;
    return given;
  };
}

export const machineRandom: Random = pooled();

const DIGITS = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0")).join(""));
const POSITIONS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const draft = Buffer.alloc(36, "-");

/** Version 4. Every request has one, and building it from texts costs twice as much. */
export function uuid(random: Random): string {
  const bytes = random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  for (let index = 0; index < 16; index += 1) {
    const place = POSITIONS[index] ?? 0;
    const digits = (bytes[index] ?? 0) * 2;
    draft[place] = DIGITS[digits] ?? 0;
    draft[place + 1] = DIGITS[digits + 1] ?? 0;
  }
  return draft.toString("latin1");
}

/** Safe in a URL; 32 bytes by default. */
export function secretText(random: Random, sizeBytes = 32): string {
  return Buffer.from(random(sizeBytes)).toString("base64url");
}
