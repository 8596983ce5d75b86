import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { PageHeader } from "@/components/layout/page-header";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { getStartFormState } from "@/lib/kyc/queries";
import { START_TYPES } from "@/lib/kyc/view";
import { StartForm } from "./start-form";
import { UnconfirmedStarts } from "./unconfirmed-starts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("kycStart"))("title") };
}

async function StartPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const { permissions } = await requireScope();
  if (!permissions.includes("kyc:start")) return <ForbiddenView screen="kycStart" />;
  const { type: asked, draft } = await searchParams;
  const type = START_TYPES.find((one) => one === asked) ?? "PF";
  const [form, t, kyc] = await Promise.all([
    getStartFormState(type, typeof draft === "string" ? draft : null),
    getTranslations("kycStart"),
    getTranslations("kyc"),
  ]);
  const choices = START_TYPES.map((one) => ({
    href: `/kyc/new?type=${one}`,
    label: kyc(`type.${one}`),
    isCurrent: one === type,
  }));
  return (
    <>
      <PageHeader title={t("title")} parent={{ href: "/kyc", label: kyc("title") }} />
      <div className="border-b border-line px-5 pb-3">
        <ChoiceLinks label={t("about")} choices={choices} />
      </div>
      <UnconfirmedStarts starts={form.unconfirmed} />
      <StartForm key={`${type} ${form.draft.draftId} ${form.isSent ? "sent" : "open"}`} type={type} form={form} />
    </>
  );
}

export default screen("app/(console)/kyc/new/page", StartPage);
