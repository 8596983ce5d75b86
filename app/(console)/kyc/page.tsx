import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/client-messages";
import { PageHeader } from "@/components/page-header";
import { REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { listCases } from "@/lib/kyc/queries";
import { KycFilter } from "@/lib/kyc/rules";
import { getShortcuts } from "@/lib/preferences/queries";
import { savedViews } from "@/lib/views/queries";
import { Queue } from "./queue";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("kyc"))("title") };
}

async function KycPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const asked = await searchParams;
  const filter = KycFilter.parse(asked);
  const [desk, saved] = await Promise.all([requireDesk(), savedViews.kyc()]);
  const own = saved.find(({ isDefault }) => isDefault);
  // What stands in an address is what its reader sees: only the plain one opens with what the person chose.
  if (own !== undefined && Object.keys(asked).length === 0) redirect(`/kyc?${own.search}`);
  const [cases, t, denial, shortcuts] = await Promise.all([
    listCases(filter),
    getTranslations("kyc"),
    denialOf(desk.permissions, "kyc:decide"),
    getShortcuts(),
  ]);
  return (
    <>
      <PageHeader title={t("title")} />
      <ClientMessages namespaces={["age", "approvals", "kyc", "kycQueue", "triage", "views"]}>
        <Queue
          key={JSON.stringify(filter)}
          initial={cases}
          filter={filter}
          saved={saved}
          denial={denial}
          mayAssign={desk.permissions.includes("kyc:assign")}
          shortcuts={shortcuts}
          reasonLimit={REASON_MAX_LENGTH}
        />
      </ClientMessages>
    </>
  );
}

export default screen(KycPage);
