"use client";

import { X } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { useStaffId } from "@/components/desk";
import { useLive } from "@/components/live-provider";
import { useQuietRead } from "@/components/use-read";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/format";
import type { KycRow } from "@/lib/kyc/queries";
import type { Holder } from "@/lib/result";

/**
 * Tells whoever had the case, on their open screen and over whatever they are writing, that it is a colleague's now. The page
 * itself waits for what is unsaved: this does not.
 */
export function TakenOver({ subject: { kycUUID, assignee } }: { subject: KycRow }) {
  const t = useTranslations("triage");
  const common = useTranslations("common");
  const locale = useLocale();
  const me = useStaffId();
  const { follow } = useLive();
  const read = useQuietRead();
  const [wasOwn, setWasOwn] = useState(assignee?.id === me);
  const [other, setOther] = useState<Holder | null>(null);
  if (assignee?.id === me && !wasOwn) setWasOwn(true);

  const look = useEffectEvent(async (signal: AbortSignal) => {
    if (!wasOwn) return;
    const address = `/api/kyc/${encodeURIComponent(kycUUID)}/holder`;
    const [answer] = await Promise.allSettled([read<{ holder: Holder | null }>(address, signal)]);
    if (answer.status === "rejected" || signal.aborted) return;
    const { holder } = answer.value;
    setOther(holder === null || holder.id === me ? null : holder);
  });
  useEffect(() => {
    const aborting = new AbortController();
    const unfollow = follow((heard) => {
      const isOurs = heard.kind === "changed" && heard.topic === "kyc" && (heard.objects?.includes(kycUUID) ?? true);
      if (isOurs || heard.kind === "reset") void look(aborting.signal);
    });
    return () => {
      unfollow();
      aborting.abort();
    };
  }, [follow, kycUUID]);

  return (
    <div aria-live="assertive" className="pointer-events-none fixed inset-x-4 top-4 z-60 flex justify-center">
      {other === null ? null : (
        <Notice tone="warning" className="pointer-events-auto flex max-w-xl items-start gap-3 shadow-float">
          <span>{t("takenOver", { name: other.name, time: formatDateTime(other.since, locale) })}</span>
          <button
            type="button"
            aria-label={common("close")}
            onClick={() => setOther(null)}
            className="grid size-5 shrink-0 place-items-center rounded-sm hover:bg-hover"
          >
            <X aria-hidden size={13} />
          </button>
        </Notice>
      )}
    </div>
  );
}
