import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/client-messages";
import { PageHeader } from "@/components/page-header";
import { REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { listCases } from "@/lib/kyc/queries";
import { KycFilter } from "@/lib/kyc/rules";
import { Queue } from "./queue";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("kyc"))("title") };
}

async function KycPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const filter = KycFilter.parse(await searchParams);
  const [desk, cases, t] = await Promise.all([requireDesk(), listCases(filter), getTranslations("kyc")]);
  const denial = await denialOf(desk.permissions, "kyc:decide");
  return (
    <>
      <PageHeader title={t("title")} />
      <ClientMessages namespaces={["age", "approvals", "kyc", "paging"]}>
        <Queue
          key={JSON.stringify(filter)}
          initial={cases}
          filter={filter}
          readAt={new Date().toISOString()}
          denial={denial}
          reasonLimit={REASON_MAX_LENGTH}
        />
      </ClientMessages>
    </>
  );
}

export default screen(KycPage);
