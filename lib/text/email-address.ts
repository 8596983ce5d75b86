import { domainToASCII, domainToUnicode } from "node:url";
import { z } from "zod";
import { unwrappedEmail } from "@/lib/contract/fold";
import { isAscii } from "@/lib/contract/shared";

const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~.]{1,64}$/u;
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

type Parts = { local: string; domain: string };

function partsOf(text: string): Parts {
  const at = text.lastIndexOf("@");
  const typed = text.slice(at + 1).normalize("NFKC");
  return { local: text.slice(0, Math.max(at, 0)), domain: DOMAIN.test(typed) ? domainToASCII(typed) : "" };
}

/** A word of mixed alphabets imitates another. */
const mixes = (word: string) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1;

const asPlain = (local: string) => local.replaceAll(/[\p{L}\p{M}\p{N}]/gu, (sign) => (isAscii(sign) ? sign : "a"));

/** Some databases compare only ASCII letters without case. */
const keptAs = (local: string) => (isAscii(local) ? local : local.toLowerCase());

/** Node 24 leaves a label as it is whose punycode says nothing, where Node 20 refuses the host. */
const isDecoded = (label: string) => !label.startsWith("xn--");

export type ReadEmail = { email: string } | { fault: "email" | "email-mixed" };

/** In one spelling: NFC as typed before the @, the punycode's letters after it. */
export function readEmail(typed: string): ReadEmail {
  const { local, domain } = partsOf(unwrappedEmail(typed));
  const isOne = LOCAL.test(local) && z.email().safeParse(`${asPlain(local)}@${domain}`).success;
  const shown = domainToUnicode(domain);
  const labels = shown.split(".");
  if (!isOne || shown === "" || !labels.every(isDecoded)) return { fault: "email" };
  if ([local, ...labels].some(mixes)) return { fault: "email-mixed" };
  return { email: `${keptAs(local)}@${shown}` };
}

/** Lower case, in each spelling that may be stored; the first is the same for all. */
export function emailSpellings(typed: string): [string, ...string[]] {
  const read = readEmail(typed);
  if ("fault" in read) return [typed.trim().normalize("NFC").toLowerCase()];
  const email = read.email.toLowerCase();
  const { local, domain } = partsOf(email);
  const ascii = `${local}@${domain}`;
  return ascii === email ? [email] : [email, ascii];
}
