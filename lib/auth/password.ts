import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";

// OWASP's argon2id floor: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 128;

const AT_ONCE = availableParallelism();
/** Those before them take a second or two. */
const MOST_WAITING = 32 * AT_ONCE;

let running = 0;
const waiting: (() => void)[] = [];

/** So many passwords wait to be hashed that no more are taken. */
export class PasswordsBusy extends Error {
  override name = "PasswordsBusy";
}

export const arePasswordsBusy = (): boolean => waiting.length >= MOST_WAITING;

/** A hash takes a core for a moment, and 19 MiB: as many at once as there are cores, and only so many wait. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1;
  else {
    if (arePasswordsBusy()) throw new PasswordsBusy();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** Keyboards write the same letter in two ways; nothing else about a password is changed. */
const written = (password: string) => password.normalize("NFC");

/** Argon2id in PHC format. Throws `PasswordsBusy`. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(written(password), COST));
}

let decoy: Promise<string> | undefined;

/** Whether the password is the hash's. Without a hash (unknown person) it takes the same time and says no. Throws `PasswordsBusy`. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash("nobody's password", COST);
  const known = passwordHash ?? (await decoy);
  const matches = await inTurn(() => verify(known, written(password)));
  return matches && passwordHash !== null;
}
