import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { ClientMessages } from "@/components/client-messages";
import { LiveRefresh } from "@/components/live-refresh";
import type { Closing } from "@/lib/account-closing";
import { type AccountView, getStatus } from "@/lib/accounts/queries";
import type { Permission } from "@/lib/auth/permission";
import { CloseButton } from "./close-button";
import { ClosingNotice } from "./closing-notice";

type ClosingStandingProps = {
  closing: Closing | null;
  account: AccountView;
  /** Why this person may not say what became of a closure. */
  denial: string | null;
};

/** How far the closure has come, above all else, and kept up to date. */
export function ClosingStanding({ closing, account: { ref, branch, number }, denial }: ClosingStandingProps) {
  return (
    <ClientMessages namespaces={["closing", "outcomes"]}>
      <LiveRefresh topics={["transfers"]} object={`account:${ref}`} />
      {closing === null || closing.approvalId === null ? null : (
        <LiveRefresh topics={["approvals"]} object={closing.approvalId} />
      )}
      <ClosingNotice closing={closing} account={`${branch} / ${number}`} denial={denial} />
    </ClientMessages>
  );
}

type ClosingSectionProps = { closing: Closing | null; accountRef: string; permissions: readonly Permission[] };

/** The way to close the account, below all that one comes here for. */
export async function ClosingSection({ closing, accountRef, permissions }: ClosingSectionProps) {
  const [t, status] = await Promise.all([getTranslations("closing"), getStatus(accountRef)]);
  if (closing?.state === "CLOSED") return null;
  const isUnderWay = closing !== null && closing.state !== "UNKNOWN";
  const standing = status?.standing === "CLOSED" ? t("closedElsewhere") : isUnderWay ? t("alreadyOpen") : null;
  const denial = (await denialOf(permissions, "accounts:close")) ?? standing;
  return (
    <section aria-labelledby="closing" className="mt-6 border-t border-line px-5 py-5">
      <h2 id="closing" className="font-semibold">
        {t("title")}
      </h2>
      <p className="mt-1 mb-3 max-w-prose text-muted">{t("lead")}</p>
      <ClientMessages namespaces={["closing"]}>
        <CloseButton accountRef={accountRef} denial={denial} isLast={closing === null || closing.state === "PENDING"} />
      </ClientMessages>
    </section>
  );
}
