import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { deniedReason, ForbiddenView } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { listReplays } from "@/lib/webhooks/queries";
import { Replays } from "./replays";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("replays"))("title") };
}

async function ReplaysPage() {
  const scope = await requireScope();
  if (!scope.permissions.includes("webhooks:read")) return <ForbiddenView screen="webhooks" />;
  const [initial, t, denial] = await Promise.all([
    listReplays(),
    getTranslations(),
    deniedReason(scope.permissions, "webhooks:replay"),
  ]);
  return (
    <>
      <PageHeader
        title={t("replays.title")}
        lead={t("replays.lead")}
        parent={{ href: "/webhooks", label: t("webhooks.title") }}
      />
      <Replays initial={initial} denial={denial} />
    </>
  );
}

export default screen("app/(console)/webhooks/replays/page", ReplaysPage);
