"use client";

import { Unlink } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { useAction } from "@/components/use-action";
import { partAttempts } from "@/lib/onboarding/actions";

/** Asks in place before an attempt is parted from the one before it. */
export function PartButton({ id }: { id: string }) {
  const t = useTranslations("onboardingRecord");
  const router = useRouter();
  const { pending, failure, run } = useAction(partAttempts);
  const [isAsking, setAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) keep.current?.focus();
  }, [isAsking]);

  const part = () =>
    run({ id }, () => {
      setAsking(false);
      router.refresh();
    });
  if (!isAsking) {
    return (
      <Button size="small" tone="quiet" className="-ml-2.5" onClick={() => setAsking(true)}>
        <Unlink aria-hidden size={13} />
        {t("part")}
      </Button>
    );
  }
  return (
    <div className="w-full">
      <p className="text-sm">{t("partAsk")}</p>
      <div className="mt-1.5 flex gap-2">
        <Button ref={keep} size="small" onClick={() => setAsking(false)}>
          {t("partKeep")}
        </Button>
        <Button size="small" tone="negative" isBusy={pending} onClick={part}>
          {t("partDo")}
        </Button>
      </div>
      <p aria-live="assertive" className="mt-1 text-sm text-negative">
        {failure ? <FailureText failure={failure} /> : null}
      </p>
    </div>
  );
}
