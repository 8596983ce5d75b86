import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { screen } from "@/app/(console)/screen";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { DocumentReveal } from "@/app/(console)/privacy/document-reveal";
import { Looks } from "@/app/(console)/privacy/looks";
import { WhoActs } from "@/app/(console)/onboarding/onboarding-words";
import { ClientMessages } from "@/components/client-messages";
import { CopyButton } from "@/components/copy-button";
import { Described, DescriptionList } from "@/components/description-list";
import { LiveRefresh } from "@/components/live-refresh";
import { PageHeader } from "@/components/page-header";
import { RecordColumns, RecordSection } from "@/components/record-columns";
import { SafeLink } from "@/components/safe-link";
import { OnboardingStatusBadge } from "@/components/status-badge";
import { formatDateTime, formatTime } from "@/lib/format";
import { getOnboarding } from "@/lib/onboarding/queries";
import { CheckButton } from "./check-button";
import { Messages } from "./messages";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("onboarding"))("one") };
}

async function OnboardingCasePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const [desk, row, t, locale] = await Promise.all([requireDesk(), getOnboarding(id), getTranslations(), getLocale()]);
  if (!row) notFound();
  const denial = await denialOf(desk.permissions, "pii:reveal");
  const { account, biometricUrl } = row;
  return (
    <ClientMessages namespaces={["onboarding", "privacy"]}>
      <LiveRefresh topics={["onboarding"]} object={row.id} />
      <PageHeader title={row.document} parent={{ href: "/onboarding", label: t("shell.onboarding") }}>
        <span className="text-sm text-muted tabular-nums max-desk:hidden">
          {t("onboarding.checked", { time: formatTime(row.checkedAt, locale) })}
        </span>
        <CheckButton id={row.id} />
      </PageHeader>
      <RecordColumns aside={<Messages messages={row.messages} />}>
        <RecordSection id="details" title={t("onboarding.details")}>
          <DescriptionList>
            <Described name={t("onboarding.columns.status")}>
              <OnboardingStatusBadge status={row.status} />
            </Described>
            <Described name={t("onboarding.columns.stage")}>{t(`onboarding.stage.${row.stage}`)}</Described>
            <Described name={t("onboarding.columns.acts")}>
              <WhoActs who={row.whoActs} />
            </Described>
            <Described name={t("onboarding.columns.document")}>
              <DocumentReveal masked={row.document} kind="onboarding" id={row.id} denial={denial} />
            </Described>
            <Described name={t("onboarding.columns.kind")}>{t(`onboarding.kind.${row.kind}`)}</Described>
            <Described name={t("onboarding.biometricLink")}>
              {biometricUrl ? (
                <>
                  <SafeLink link={biometricUrl} />
                  {biometricUrl.href === null ? null : (
                    <CopyButton text={biometricUrl.href} label={t("onboarding.copyLink")} />
                  )}
                </>
              ) : (
                <span className="text-muted">{t("onboarding.noBiometric")}</span>
              )}
            </Described>
            <Described name={t("onboarding.account")}>
              {account ? (
                <>
                  {t("onboarding.branchNumber", { branch: account.branch, number: account.number })}
                  <Link href={`/accounts/${account.ref}`} prefetch={false} className="text-accent hover:underline">
                    {t("onboarding.viewAccount")}
                  </Link>
                </>
              ) : (
                <span className="text-muted">{t("onboarding.noAccount")}</span>
              )}
            </Described>
            <Described name={t("onboarding.begun")}>{formatDateTime(row.firstSeenAt, locale)}</Described>
            <Described name={t("onboarding.changedAt")}>{formatDateTime(row.changedAt, locale)}</Described>
          </DescriptionList>
        </RecordSection>
        <ObjectCalls kind="onboarding" id={row.id} />
        <Looks kind="onboarding" id={row.id} />
      </RecordColumns>
    </ClientMessages>
  );
}

export default screen(OnboardingCasePage);
