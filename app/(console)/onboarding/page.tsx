import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/client-messages";
import { PageHeader } from "@/components/page-header";
import { listOnboardings } from "@/lib/onboarding/queries";
import { OnboardingFilter } from "@/lib/onboarding/rules";
import { FollowButton } from "./follow-button";
import { Queue } from "./queue";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("onboarding"))("title") };
}

async function OnboardingPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const filter = OnboardingFilter.parse(await searchParams);
  const [desk, queue, t] = await Promise.all([requireDesk(), listOnboardings(filter), getTranslations("onboarding")]);
  const denial = await denialOf(desk.permissions, "onboarding:follow");
  return (
    <ClientMessages namespaces={["age", "onboarding", "paging"]}>
      <PageHeader title={t("title")}>
        <FollowButton denial={denial} />
      </PageHeader>
      <Queue key={JSON.stringify(filter)} initial={queue} filter={filter} readAt={new Date().toISOString()} />
    </ClientMessages>
  );
}

export default screen(OnboardingPage);
