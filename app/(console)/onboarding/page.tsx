import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { RefusedWrites } from "@/app/(console)/outcomes/refused-writes";
import { PageHeader } from "@/components/layout/page-header";
import { UnreadRecords } from "@/components/table/unread-records";
import { listOnboardings, listUnread } from "@/lib/onboarding/queries";
import { OnboardingFilter } from "@/lib/onboarding/inputs";
import { listRefusedOnboardings } from "@/lib/outcomes/queries";
import { savedViews } from "@/lib/preferences/queries";
import { FollowButton } from "./follow-button";
import { CreateLink } from "./new/create-link";
import { Queue } from "./queue";
import { SoughtAbove } from "./queue-toolbar";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("onboarding"))("title") };
}

async function OnboardingPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const asked = await searchParams;
  const filter = OnboardingFilter.parse(asked);
  const [scope, saved] = await Promise.all([requireScope(), savedViews.onboarding()]);
  const own = saved.find(({ isDefault }) => isDefault);
  // Only the plain URL opens the person's default view.
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/onboarding?${own.search}`);
  const [queue, unread, t] = await Promise.all([listOnboardings(filter), listUnread(), getTranslations("onboarding")]);
  const denial = await deniedReason(scope.permissions, "onboarding:follow");
  return (
    <>
      <PageHeader title={t("title")}>
        <FollowButton denial={denial} />
        <CreateLink isPrimary />
      </PageHeader>
      <SoughtAbove>
        <Queue
          key={JSON.stringify(filter)}
          initial={queue}
          filter={filter}
          saved={saved}
          readAt={new Date().toISOString()}
          unread={unread.length === 0 ? null : <UnreadRecords records={unread} />}
        />
      </SoughtAbove>
      <RefusedWrites read={listRefusedOnboardings(null)} />
    </>
  );
}

export default screen("app/(console)/onboarding/page", OnboardingPage);
