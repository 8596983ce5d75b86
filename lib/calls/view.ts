import { ERROR_KINDS } from "@/lib/errors/result";

/** The views of the call log, in the order of their tabs. Apart from the schemas, because the browser reads it. */
export const CALL_VIEWS = ["all", "failed", "slow"] as const;

/** How a call can have ended. */
export const CALL_KINDS = ["ok", ...ERROR_KINDS] as const;

/** From how long on a call counts as slow. */
export const SLOW_MS = 1_000;

/** What a call can be for and has a screen: `kyc:<kycUUID>` stands at `/kyc/<kycUUID>`. */
const SCREENS = { kyc: "/kyc", account: "/accounts", wallet: "/wallets", onboarding: "/onboarding" } as const;

export const CALL_OBJECTS = ["kyc", "account", "wallet", "onboarding"] as const satisfies (keyof typeof SCREENS)[];
export type CallObject = (typeof CALL_OBJECTS)[number];

/** The kind, the id and the address of what a call was for; null for what has no screen. */
export function screenOf(object: string): { kind: CallObject; id: string; href: string } | null {
  const kind = CALL_OBJECTS.find((name) => object.startsWith(`${name}:`));
  if (kind === undefined) return null;
  const id = object.slice(kind.length + 1);
  return { kind, id, href: `${SCREENS[kind]}/${encodeURIComponent(id)}` };
}
