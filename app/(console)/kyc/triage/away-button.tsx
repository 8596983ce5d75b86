"use client";

import { CalendarOff } from "lucide-react";
import dynamic from "next/dynamic";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useRouter } from "next/navigation";
import { Confirmation } from "@/components/confirmation";
import { FailureText } from "@/components/failure-text";
import { useAction } from "@/components/use-action";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/format";
import { setAway } from "@/lib/kyc/actions";
import type { Absence } from "@/lib/kyc/queries";

const AwayDialog = dynamic(() => import("./away-dialog").then((loaded) => loaded.AwayDialog), { ssr: false });

type AwayButtonProps = {
  absence: Absence;
  /** What the form begins with, a minute on São Paulo's clock. */
  suggestion: string;
};

/** Says that one will be away; for who is, the reminder and the way back. */
export function AwayButton({ absence, suggestion }: AwayButtonProps) {
  const t = useTranslations("triage.away");
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      <Button tone="quiet" onClick={() => setOpen(true)}>
        <CalendarOff aria-hidden size={14} />
        {t(absence.until === null ? "label" : "change")}
      </Button>
      {isOpen ? (
        <AwayDialog
          absence={absence}
          suggestion={suggestion}
          onClose={() => setOpen(false)}
          onDone={(sentence) => {
            setOpen(false);
            setDone(sentence);
          }}
        />
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}

/** Reminds whoever is away of it, for as long as they are. */
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
