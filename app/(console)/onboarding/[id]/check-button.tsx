"use client";

import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { useAction } from "@/components/form/use-action";
import { cn } from "@/components/ui/cn";
import { checkOnboarding } from "@/lib/onboarding/actions";

const SECOND_MS = 1_000;

function useRest(): [number, (ms: number) => void] {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (seconds === 0) return undefined;
    const timer = setTimeout(() => setSeconds(seconds - 1), SECOND_MS);
    return () => clearTimeout(timer);
  }, [seconds]);
  return [seconds, (ms) => setSeconds(Math.ceil(ms / SECOND_MS))];
}

/** Many who press within seconds cost one call. */
export function CheckButton({ id }: { id: string }) {
  const t = useTranslations("onboarding");
  const ours = useTranslations("onboardingRecord");
  const router = useRouter();
  const { pending, failure, run } = useAction(checkOnboarding);
  const [rest, setRest] = useRest();
  const [wasAsked, setAsked] = useState<boolean | null>(null);

  const check = () => {
    if (rest > 0) return;
    run({ id }, ({ isAsked, restMs }) => {
      setAsked(isAsked);
      setRest(restMs);
      router.refresh();
    });
  };
  const isResting = rest > 0 && !pending;
  return (
    <>
      <p aria-live="polite" className={cn("text-sm wrap-anywhere", failure ? "text-negative" : "text-muted")}>
        {failure ? <FailureText failure={failure} /> : null}
        {failure || !isResting || wasAsked === null ? null : ours(wasAsked ? "checkedNow" : "justChecked")}
      </p>
      <Button isBusy={pending} aria-disabled={isResting || undefined} onClick={check}>
        <RotateCw aria-hidden size={14} className={cn(pending && "animate-spin")} />
        {pending ? t("checking") : t("check")}
        {isResting ? <span className="text-sm font-normal tabular-nums">{ours("rest", { seconds: rest })}</span> : null}
      </Button>
    </>
  );
}
