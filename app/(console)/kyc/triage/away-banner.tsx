"use client";

import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";
import { formatDateTime } from "@/lib/text/format";
import { setAway } from "@/lib/kyc/actions";

export function AwayBanner({ until }: { until: string }) {
  const t = useTranslations("triage.away");
  const locale = useLocale();
  const router = useRouter();
  const { pending, failure, run } = useAction(setAway);
  const comeBack = () => run({ until: null, releases: false }, () => router.refresh());
  return (
    <Notice tone="info" className="mx-5 mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span>{failure ? <FailureText failure={failure} /> : t("banner", { time: formatDateTime(until, locale) })}</span>
      <Button size="small" isBusy={pending} onClick={comeBack}>
        {t("back")}
      </Button>
    </Notice>
  );
}
