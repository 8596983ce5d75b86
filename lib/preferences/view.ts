import type { ViewArea } from "@/lib/db/enums/preferences";
import type { Permission } from "@/lib/permission/permission";
import { type Locale, LOCALES } from "@/lib/text/format";

export const VIEW_NAME_MAX = 40;

export const VIEW_PERMISSIONS = {
  kyc: "kyc:read",
  onboarding: "onboarding:read",
  accounts: "accounts:read",
  transfers: "transfers:read",
  wallets: "wallets:read",
  coins: "wallets:read",
  deposits: "wallets:read",
  movements: "accounts:read",
  approvals: "approvals:read",
  webhooks: "webhooks:read",
  calls: "audit:read",
  audit: "audit:read",
} as const satisfies Record<ViewArea, Permission>;

export function readShortcuts(value: string | undefined): boolean {
  return value !== "off";
}

const DEFAULT_LOCALE: Locale = "pt-BR";

/** `accepted`: the browser's `Accept-Language`. */
export function readLocale(value: string | undefined, accepted: string | null = null): Locale {
  return LOCALES.find((locale) => locale === value) ?? acceptedLocale(accepted ?? "");
}

const languageOf = (tag: string) => tag.trim().toLowerCase().split("-", 1)[0];

function acceptedLocale(accepted: string): Locale {
  const wishes = accepted.split(",").flatMap((wish) => {
    const [tag = "", ...parameters] = wish.split(";");
    const weight = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("q="));
    const locale = LOCALES.find((known) => languageOf(known) === languageOf(tag));
    return locale === undefined ? [] : [{ locale, weight: weight === undefined ? 1 : Number(weight.slice(2)) }];
  });
  const [first] = wishes.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight);
  return first?.locale ?? DEFAULT_LOCALE;
}

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** The theme in a cookie; by default the system's. */
export function readTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? "system";
}

export type MessageTree = { [name: string]: MessageTree | string };

// A compiled sentence with placeholders is a list.
export const isMany = (words: MessageTree | string | undefined): words is MessageTree =>
  typeof words === "object" && !Array.isArray(words);

export function joined(above: MessageTree, own: MessageTree): MessageTree {
  const all = { ...above };
  for (const [name, words] of Object.entries(own)) {
    const known = above[name];
    all[name] = isMany(known) && isMany(words) ? joined(known, words) : words;
  }
  return all;
}
