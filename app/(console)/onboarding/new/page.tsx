import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { getAccountFormState } from "@/lib/onboarding/queries";
import { ONBOARDING_KINDS } from "@/lib/db/enums/onboarding";
import { AccountForm } from "./account-form";
import { UnconfirmedNotice } from "./unconfirmed-notice";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("accountForm"))("title") };
}

async function NewAccountPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const { type, from, draft } = await searchParams;
  const kind = ONBOARDING_KINDS.find((one) => one === type) ?? "PF";
  const [form, t] = await Promise.all([
    getAccountFormState({
      kind,
      from: typeof from === "string" ? from : null,
      draftId: typeof draft === "string" ? draft : null,
    }),
    getTranslations(),
  ]);
  const choices = ONBOARDING_KINDS.map((one) => ({
    href: `/onboarding/new?type=${one}`,
    label: t(`kyc.type.${one}`),
    isCurrent: one === form.kind,
  }));
  return (
    <>
      <PageHeader title={t("accountForm.title")} parent={{ href: "/onboarding", label: t("onboarding.title") }} />
      {form.earlier === null ? (
        <div className="border-b border-line px-5 pb-3">
          <ChoiceLinks label={t("accountForm.about")} choices={choices} />
        </div>
      ) : null}
      {form.unconfirmed.length === 0 ? null : <UnconfirmedNotice accounts={form.unconfirmed} />}
      <AccountForm key={`${form.draft.draftId} ${form.isSent ? "sent" : "open"}`} form={form} />
    </>
  );
}

export default screen("app/(console)/onboarding/new/page", NewAccountPage);
