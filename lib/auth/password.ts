import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { dictionary } from "@zxcvbn-ts/language-common";
import { z } from "zod";
import { isStorable } from "@/lib/contract/shared";

/** Local passwords that lists of worldwide leaks lack. */
const LOCAL = [
  "bemvindo",
  "mudar",
  "trocar",
  "corinthians",
  "saopaulo",
  "gremio",
  "internacional",
  "cruzeiro",
  "banco",
];

/** With fewer characters around it, only the common stem must be guessed. */
const BESIDE_COMMON = 10;
const LONGEST_REPEATED = 4;

let knownPasswords: Set<string> | undefined;

function isListed(word: string): boolean {
  knownPasswords ??= new Set([...dictionary["passwords-common"], ...LOCAL]);
  return knownPasswords.has(word);
}

function isPattern(text: string): boolean {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const [first = 0, second = 0] = codes;
  const step = second - first;
  const isRun = (at: number) =>
    (codes[at] ?? 0) - (codes[at - 1] ?? 0) === step || ["90", "09"].includes(text.slice(at - 1, at + 1));
  if (Math.abs(step) <= 1 && codes.every((_, at) => at === 0 || isRun(at))) return true;
  for (let length = 1; length <= LONGEST_REPEATED; length += 1) {
    const unit = text.slice(0, length);
    if (text.length >= 2 * length && unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return true;
  }
  return false;
}

function isRepeatedWord(text: string): boolean {
  for (let length = LONGEST_REPEATED + 1; length <= text.length / 2; length += 1) {
    const word = text.slice(0, length);
    if (text.length % length === 0 && word.repeat(text.length / length) === text) return isListed(word);
  }
  return false;
}

function isCommonPassword(password: string): boolean {
  const text = password.normalize("NFKC").toLowerCase();
  const stem = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  if (isListed(text) || isPattern(text) || isRepeatedWord(text)) return true;
  return stem !== "" && text.length - stem.length < BESIDE_COMMON && (isListed(stem) || isRepeatedWord(stem));
}

// OWASP's argon2id floor: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 128;

const AT_ONCE = availableParallelism();
const MAX_WAITING = 32 * AT_ONCE;

let running = 0;
const waiting: (() => void)[] = [];

export class PasswordsBusy extends Error {
  override name = "PasswordsBusy";
}

export const arePasswordsBusy = (): boolean => waiting.length >= MAX_WAITING;

/** A hash takes a core and 19 MiB: one per core at a time, and a bounded queue. */
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

/** Keyboards encode the same letter in two ways; nothing else changes. */
const written = (password: string) => password.normalize("NFC");

/** Argon2id in PHC format. Throws `PasswordsBusy`. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(written(password), COST));
}

let decoy: Promise<string> | undefined;

/** Without a hash (unknown person) it takes the same time and is false. Throws `PasswordsBusy`. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash("nobody's password", COST);
  const known = passwordHash ?? (await decoy);
  const matches = await inTurn(() => verify(known, written(password)));
  return matches && passwordHash !== null;
}

/** Shorter parts of a name occur in too many words. */
const TELLING_LENGTH = 3;
const BESIDE_CONTEXT = 8;
const PRODUCT = "retaguarda";

type PasswordOwner = { name: string; email: string };

const fold = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Whether little remains without the owner's name, e-mail and our name. */
function isPersonal(password: string, { name, email }: PasswordOwner): boolean {
  const words = [PRODUCT, ...fold(`${name} ${email}`).split(/[^\p{L}\p{N}]+/u)]
    .filter((word) => word.length >= TELLING_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  const folded = fold(password);
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), folded);
  return rest !== folded && rest.length < BESIDE_CONTEXT;
}

export type PasswordFault = "password-short" | "password-long" | "password-common" | "password-personal" | "characters";

export function faultOf(password: string, owner: PasswordOwner): PasswordFault | null {
  const { length } = Array.from(password.normalize("NFC"));
  if (length < PASSWORD_MIN_LENGTH) return "password-short";
  // The sign-in form's limit, in the keyboard's longest encoding.
  if (password.normalize("NFD").length > PASSWORD_MAX_LENGTH) return "password-long";
  if (!isStorable(password)) return "characters";
  if (isPersonal(password, owner)) return "password-personal";
  return isCommonPassword(password) ? "password-common" : null;
}

export const PASSWORD_SENTENCES: Readonly<Record<PasswordFault, string>> = {
  "password-short": `the password must have at least ${PASSWORD_MIN_LENGTH} characters`,
  "password-long": `the password must have at most ${PASSWORD_MAX_LENGTH} characters`,
  "password-common": "the password is among those that are guessed first",
  "password-personal": "the password is little more than the name or the e-mail",
  characters: "the password holds characters that cannot be kept",
};

export const passwordOf = (owner: PasswordOwner) =>
  z
    .string()
    .max(4 * PASSWORD_MAX_LENGTH, { error: PASSWORD_SENTENCES["password-long"] })
    .superRefine((password, context) => {
      const code = faultOf(password, owner);
      if (code !== null) {
        context.addIssue({ code: "custom", message: PASSWORD_SENTENCES[code], params: { code } });
      }
    });
