import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { PageHeader } from "@/components/layout/page-header";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { getStartDesk } from "@/lib/kyc/queries";
import { START_TYPES } from "@/lib/kyc/view";
import { StartForm } from "./start-form";
import { UnsettledStarts } from "./unsettled-starts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("kycStart"))("title") };
}

async function StartPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const { permissions } = await requireDesk();
  if (!permissions.includes("kyc:start")) return <ForbiddenView screen="kycStart" permission="kyc:start" />;
  const asked = (await searchParams)["type"];
  const type = START_TYPES.find((one) => one === asked) ?? "PF";
  const [desk, t, kyc] = await Promise.all([getStartDesk(type), getTranslations("kycStart"), getTranslations("kyc")]);
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
      <ClientMessages namespaces={["draft", "kyc", "kycStart", "outcomes"]}>
        <UnsettledStarts starts={desk.unsettled} />
        <StartForm key={`${type} ${desk.isSent ? "sent" : "open"}`} type={type} desk={desk} />
      </ClientMessages>
    </>
  );
}

export default screen(StartPage);
