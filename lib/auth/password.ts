import { hash, verify } from "@node-rs/argon2";

// OWASP's argon2id floor: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 128;

/** Keyboards write the same letter in two ways; nothing else about a password is changed. */
const written = (password: string) => password.normalize("NFC");

/** Argon2id in PHC format. */
export function hashPassword(password: string): Promise<string> {
  return hash(written(password), COST);
}

let decoy: Promise<string> | undefined;

/** Whether the password is the hash's. Without a hash (unknown person) it takes the same time and says no. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword("nobody's password");
  const matches = await verify(passwordHash ?? (await decoy), written(password));
  return matches && passwordHash !== null;
}
