import { z } from "zod";
import { isStorable } from "@/lib/contract/shared";
import { isCommonPassword } from "./common-password";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "./password";

/** Shorter parts of a name are in half of all words. */
const TELLING_LENGTH = 3;
const OWN_CHARACTERS = 8;
const PRODUCT = "retaguarda";

/** Whose password it is: what everybody knows of them protects nothing. */
export type PasswordOwner = { name: string; email: string };

const fold = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Little is left of it once the owner's name, their e-mail and ours are taken away. */
function isPersonal(password: string, { name, email }: PasswordOwner): boolean {
  const words = [PRODUCT, ...fold(`${name} ${email}`).split(/[^\p{L}\p{N}]+/u)]
    .filter((word) => word.length >= TELLING_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  const folded = fold(password);
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), folded);
  return rest !== folded && rest.length < OWN_CHARACTERS;
}

export type PasswordFault = "password-short" | "password-long" | "password-common" | "password-personal" | "characters";

/** What is wrong with a new password; null when nothing is. What it is made of is its owner's business. */
export function faultOf(password: string, owner: PasswordOwner): PasswordFault | null {
  const { length } = Array.from(password.normalize("NFC"));
  if (length < PASSWORD_MIN_LENGTH) return "password-short";
  // However a keyboard writes it, what is typed at the door is never longer than this.
  if (password.normalize("NFD").length > PASSWORD_MAX_LENGTH) return "password-long";
  if (!isStorable(password)) return "characters";
  if (isPersonal(password, owner)) return "password-personal";
  return isCommonPassword(password) ? "password-common" : null;
}

/** In English, for who has no screen: the command line and the log. */
export const PASSWORD_SENTENCES: Readonly<Record<PasswordFault, string>> = {
  "password-short": `the password must have at least ${PASSWORD_MIN_LENGTH} characters`,
  "password-long": `the password must have at most ${PASSWORD_MAX_LENGTH} characters`,
  "password-common": "the password is among those that are guessed first",
  "password-personal": "the password is little more than the name or the e-mail",
  characters: "the password holds characters that cannot be kept",
};

/** A new password of this person, as whoever sets it must give it: the one rule for command, invitation and change. */
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
