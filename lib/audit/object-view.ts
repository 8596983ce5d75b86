const SCREENS = { kyc: "/kyc", account: "/accounts", wallet: "/wallets", onboarding: "/onboarding" } as const;

export const CALL_OBJECTS = ["kyc", "account", "wallet", "onboarding"] as const satisfies (keyof typeof SCREENS)[];
export type CallObject = (typeof CALL_OBJECTS)[number];

export function screenOf(object: string): { kind: CallObject; id: string; href: string } | null {
  const kind = CALL_OBJECTS.find((name) => object.startsWith(`${name}:`));
  if (kind === undefined) return null;
  const id = object.slice(kind.length + 1);
  return { kind, id, href: `${SCREENS[kind]}/${encodeURIComponent(id)}` };
}
