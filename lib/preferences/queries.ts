import { and, eq } from "drizzle-orm";
import { getSession } from "@/lib/auth/session";
import type { OwnMails } from "@/lib/mail/view";
import { query } from "@/lib/query";
import { db } from "@/lib/db/connection";
import { readOwnMails } from "./mails";
import { readPreference } from "./preference-cookie";
import type { ViewArea } from "@/lib/db/enums/preferences";
import { savedView } from "@/lib/db/tables/preferences";
import { readShortcuts, readTheme, type Theme, VIEW_PERMISSIONS } from "./view";

export type SavedView = { id: string; name: string; search: string; isDefault: boolean };

const reading =
  (area: ViewArea) =>
  async (actor: { tenant: string; id: string }): Promise<SavedView[]> => {
    const { id, name, search, isDefault } = savedView;
    const isOwn = and(eq(savedView.tenant, actor.tenant), eq(savedView.staffId, actor.id), eq(savedView.area, area));
    return (await db())
      .select({ id, name, search, isDefault })
      .from(savedView)
      .where(isOwn)
      .orderBy(savedView.createdAt, savedView.id);
  };

export const savedViews = {
  kyc: query(VIEW_PERMISSIONS.kyc, reading("kyc")),
  onboarding: query(VIEW_PERMISSIONS.onboarding, reading("onboarding")),
  accounts: query(VIEW_PERMISSIONS.accounts, reading("accounts")),
  transfers: query(VIEW_PERMISSIONS.transfers, reading("transfers")),
  wallets: query(VIEW_PERMISSIONS.wallets, reading("wallets")),
  coins: query(VIEW_PERMISSIONS.coins, reading("coins")),
  deposits: query(VIEW_PERMISSIONS.deposits, reading("deposits")),
  movements: query(VIEW_PERMISSIONS.movements, reading("movements")),
  approvals: query(VIEW_PERMISSIONS.approvals, reading("approvals")),
  webhooks: query(VIEW_PERMISSIONS.webhooks, reading("webhooks")),
  calls: query(VIEW_PERMISSIONS.calls, reading("calls")),
  audit: query(VIEW_PERMISSIONS.audit, reading("audit")),
} as const;

/** Null when nobody is signed in. */
export async function getOwnMails(): Promise<OwnMails | null> {
  const session = await getSession();
  return session === null ? null : readOwnMails(session);
}

export async function getTheme(): Promise<Theme> {
  return readTheme(await readPreference("theme"));
}

export async function getShortcuts(): Promise<boolean> {
  return readShortcuts(await readPreference("shortcuts"));
}

export async function hidesFirstSteps(): Promise<boolean> {
  return (await readPreference("first-steps")) === "hidden";
}

export { frameWordsOf, isFrame, wordFileOf } from "./word-files";
