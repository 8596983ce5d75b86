"use client";

import { useLocale, useTranslations } from "next-intl";
import { FailureText } from "@/components/layout/failure-text";
import { useRefresh } from "@/components/live/live-refresh";
import { useAction } from "@/components/session/use-action";
import { useStaffId } from "@/components/session/scope";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { bringBackCase } from "@/lib/kyc/actions";
import type { KycRow } from "@/lib/kyc/queries";
import { formatDateTime } from "@/lib/text/format";

type PutOffNoticeProps = {
  subject: KycRow;
  putOff: NonNullable<KycRow["putOff"]>;
  /** Null where it was deleted, or the reader may not see notes. */
  reason: string | null;
  denial: string | null;
};

export function PutOffNotice({ subject, putOff, reason, denial }: PutOffNoticeProps) {
  const t = useTranslations("triage.putOff");
  const locale = useLocale();
  const me = useStaffId();
  const refresh = useRefresh();
  const { pending, failure, run } = useAction(bringBackCase);
  const { id: putOffId, until, byName: name, back } = putOff;
  const { kycUUID, assignee } = subject;
  const words =
    back === null
      ? { key: "notice", values: { name, time: formatDateTime(until, locale) } }
      : { key: "back", values: { name, time: formatDateTime(back.at, locale), why: back.why } };
  const mayBringBack = back === null && denial === null && (assignee === null || assignee.id === me);
  return (
    <Notice
      tone={back === null ? "info" : "warning"}
      className="mx-5 mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2"
    >
      <span className="min-w-0 wrap-anywhere whitespace-pre-line">
        {failure ? (
          <FailureText failure={failure} />
        ) : reason === null ? (
          t(words.key === "back" ? "back" : "notice", words.values)
        ) : (
          t(words.key === "back" ? "backBecause" : "noticeBecause", { ...words.values, reason })
        )}
      </span>
      {mayBringBack ? (
        <Button size="small" isBusy={pending} onClick={() => run({ kycUUID, putOffId }, refresh)}>
          {t("bringBack")}
        </Button>
      ) : null}
    </Notice>
  );
}
