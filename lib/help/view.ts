import type { Role } from "@/lib/permission/permission";

/** Whose tasks a page tells; the last three are for everybody. */
export const HELP_SECTIONS = [
  "compliance",
  "support",
  "finance",
  "approver",
  "auditor",
  "admin",
  "everybody",
  "states",
  "customer",
] as const satisfies (Role | "everybody" | "states" | "customer")[];
export type HelpSection = (typeof HELP_SECTIONS)[number];

type HelpEntry = {
  name: string;
  section: HelpSection;
  also?: readonly Role[];
  /** The screen it is about, as `lib/permission/access` writes it. */
  path?: string;
  /** Other screens that it leads to, and names words of. */
  tells?: readonly string[];
  /** Keys of messages that a person of its section reads on that screen before anything is pressed. */
  shows?: readonly string[];
};

export const HELP_ENTRIES = [
  {
    name: "kyc-queue",
    section: "compliance",
    path: "/kyc",
    tells: ["/kyc/[id]"],
    shows: ["kycQueue.views.unassigned", "kycQueue.views.due", "triage.next.label", "triage.away.label", "kyc.figures"],
  },
  { name: "kyc-keyboard", section: "compliance", path: "/kyc", shows: ["triage.keys.hint"] },
  {
    name: "kyc-decide",
    section: "compliance",
    path: "/kyc/[id]",
    shows: ["kyc.decide", "casework.notes", "casework.files"],
  },
  { name: "kyc-put-off", section: "compliance", path: "/kyc/[id]", tells: ["/kyc"], shows: ["triage.putOff.label"] },
  {
    name: "kyc-second-level",
    section: "compliance",
    also: ["approver"],
    path: "/kyc/[id]",
    tells: ["/kyc"],
    shows: ["triage.escalate.label"],
  },
  { name: "kyc-again", section: "compliance", path: "/kyc", tells: ["/kyc/[id]"], shows: ["kyc.filters.APPROVED"] },
  { name: "kyc-start", section: "compliance", path: "/kyc/new", shows: ["kycStart.model", "kycStart.toReview"] },
  {
    name: "onboarding",
    section: "compliance",
    also: ["support"],
    path: "/onboarding",
    tells: ["/onboarding/[id]"],
    shows: ["onboarding.follow", "accountForm.button"],
  },
  {
    name: "account-find",
    section: "support",
    also: ["compliance", "finance", "approver", "auditor", "admin"],
    path: "/accounts",
    shows: ["accounts.lookUp"],
  },
  {
    name: "balance",
    section: "support",
    also: ["finance"],
    path: "/accounts/[ref]",
    shows: ["accounts.available", "accounts.blocked"],
  },
  {
    name: "statement",
    section: "support",
    also: ["compliance", "finance", "auditor"],
    path: "/accounts/[ref]",
    shows: ["accounts.statement"],
  },
  {
    name: "transfer",
    section: "support",
    also: ["finance"],
    path: "/transfers/new",
    shows: ["transfers.kinds.INTERNAL", "transferForm.sourceFind"],
  },
  {
    name: "ted",
    section: "support",
    also: ["finance"],
    path: "/transfers/new",
    tells: ["/transfers/[id]"],
    shows: ["transfers.kinds.EXTERNAL"],
  },
  {
    name: "held-transfer",
    section: "support",
    also: ["finance"],
    path: "/transfers/[id]",
    tells: ["/transfers"],
  },
  {
    name: "unconfirmed",
    section: "support",
    also: ["compliance", "finance"],
    path: "/outcomes",
    shows: ["outcomes.title"],
  },
  { name: "close-account", section: "support", also: ["finance"], path: "/accounts/[ref]", shows: ["closing.title"] },
  {
    name: "reveal",
    section: "support",
    also: ["compliance", "approver"],
    path: "/accounts/[ref]",
    shows: ["privacy.reveal"],
  },
  { name: "customer-paid", section: "support", also: ["finance"], path: "/paid", shows: ["paid.submit"] },
  { name: "position", section: "finance", path: "/position", shows: ["position.groups.own", "position.file.button"] },
  {
    name: "movements",
    section: "finance",
    also: ["auditor"],
    path: "/movements",
    tells: ["/movements/files"],
    shows: ["movements.make"],
  },
  {
    name: "deposits",
    section: "finance",
    path: "/deposits",
    tells: ["/deposits/[id]"],
    shows: ["deposits.filters.exceptions", "deposits.expect.button", "deposits.import.button"],
  },
  {
    name: "send-coins",
    section: "finance",
    path: "/coins",
    tells: ["/wallets/[id]/send", "/wallets/[id]"],
    shows: ["coins.filters.waiting"],
  },
  {
    name: "wallets",
    section: "finance",
    path: "/wallets",
    tells: ["/wallets/[id]", "/wallets/addresses"],
    shows: ["walletForm.button.wallet", "common.more"],
  },
  {
    name: "approve",
    section: "approver",
    path: "/approvals",
    tells: ["/approvals/[id]"],
    shows: ["approvals.views.waiting"],
  },
  { name: "audit-trail", section: "auditor", also: ["admin"], path: "/audit", shows: ["audit.anyCode"] },
  { name: "who-looked", section: "auditor", also: ["admin"], path: "/accounts/[ref]", shows: ["privacy.looks"] },
  { name: "staff", section: "admin", path: "/staff", tells: ["/staff/[id]"], shows: ["staff.invite"] },
  { name: "policies", section: "admin", path: "/settings/approvals", shows: ["approvalPolicy.change"] },
  { name: "webhooks", section: "admin", path: "/webhooks", shows: ["received.tabs.refused"] },
  {
    name: "missing-events",
    section: "admin",
    path: "/webhooks/missing",
    shows: ["missing.views.never", "missing.views.late", "missing.views.awaited"],
  },
  { name: "health", section: "admin", also: ["auditor"], path: "/health", shows: ["health.watches"] },
  {
    name: "provider-silent",
    section: "admin",
    also: ["auditor"],
    path: "/calls",
    tells: ["/health"],
    shows: ["calls.views.failed", "calls.views.slow"],
  },
  { name: "search", section: "everybody", path: "/", shows: ["search.button"] },
  { name: "security", section: "everybody", path: "/security", shows: ["security.sessions"] },
  { name: "transfer-states", section: "states", path: "/transfers" },
  { name: "deposit-states", section: "states", path: "/deposits" },
  { name: "case-states", section: "states", path: "/kyc" },
  { name: "coin-states", section: "states", path: "/coins" },
  { name: "webhook-states", section: "states", path: "/webhooks" },
  { name: "customer-words", section: "customer" },
] as const satisfies readonly HelpEntry[];

export type HelpName = (typeof HELP_ENTRIES)[number]["name"];

const entries: readonly HelpEntry[] = HELP_ENTRIES;

export const isHelpName = (name: string): name is HelpName => entries.some((entry) => entry.name === name);

const isAlsoOf = ({ also = [] }: Pick<HelpEntry, "also">, role: HelpSection): boolean =>
  also.some((one) => one === role);

/** Each page once: first the sections of these roles, then what is for everybody, then other roles' sections. */
export function sectionsFor(roles: readonly Role[]): { section: HelpSection; names: string[] }[] {
  const isOwn = (section: HelpSection) => roles.some((role) => role === section);
  const ranked = HELP_SECTIONS.toSorted((one, other) => rankOf(one, isOwn) - rankOf(other, isOwn));
  const listed = new Set<string>();
  return ranked.map((section) => {
    const names = entries
      .filter((entry) => entry.section === section || (isOwn(section) && isAlsoOf(entry, section)))
      .map(({ name }) => name)
      .filter((name) => !listed.has(name));
    for (const name of names) listed.add(name);
    return { section, names };
  });
}

const SHARED: readonly HelpSection[] = ["everybody", "states", "customer"];

const rankOf = (section: HelpSection, isOwn: (one: HelpSection) => boolean) =>
  isOwn(section) ? 0 : SHARED.includes(section) ? 1 : 2;

export const pathOf = (name: string): string | null => entries.find((entry) => entry.name === name)?.path ?? null;

export const screenOf = (path: string): string => path.split("/[", 1)[0] ?? path;

const isOf = (path: string, there: string) => {
  const parts = path.split("/");
  const asked = there.split("/");
  return parts.length === asked.length && parts.every((part, nth) => part.startsWith("[") || part === asked[nth]);
};

export function helpFor(there: string): string | null {
  const exact = entries.find(({ path }) => path === there);
  return (exact ?? entries.find(({ path }) => path !== undefined && isOf(path, there)))?.name ?? null;
}

export const PICTURE = { width: 1120, height: 660 } as const;
