"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { useAction } from "@/components/session/use-action";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { partAttempts, checkOnboarding } from "@/lib/onboarding/actions";
import type { AttemptView } from "@/lib/onboarding/queries";
import { cn } from "@/components/ui/cn";

export function PartButton({ id }: { id: string }) {
  const t = useTranslations("onboardingRecord");
  const router = useRouter();
  const { pending, failure, run } = useAction(partAttempts);
  const [isAsking, setAsking] = useState(false);
  const keepButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) keepButton.current?.focus();
  }, [isAsking]);

  const part = () =>
    run({ id }, () => {
      setAsking(false);
      router.refresh();
    });
  if (!isAsking) {
    return (
      <Button size="small" tone="quiet" className="-ml-2.5" onClick={() => setAsking(true)}>
        <Icon of="unlink" size={13} />
        {t("part")}
      </Button>
    );
  }
  return (
    <div className="w-full">
      <p className="text-sm">{t("partAsk")}</p>
      <div className="mt-1.5 flex gap-2">
        <Button ref={keepButton} size="small" onClick={() => setAsking(false)}>
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

const loadDialog = () => import("./join-dialog").then((loaded) => loaded.JoinDialog);
const JoinDialog = deferred(loadDialog);

type JoinButtonProps = { id: string; joinable: readonly AttemptView[] };

export function JoinButton({ id, joinable }: JoinButtonProps) {
  const t = useTranslations("onboardingRecord");
  const label = (
    <>
      <Icon of="link-2" size={13} />
      {t("join")}
    </>
  );
  return (
    <DialogButton label={label} size="small" load={loadDialog}>
      {(close) => <JoinDialog id={id} joinable={joinable} onClose={close} />}
    </DialogButton>
  );
}

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

/** Repeated presses within seconds share one call. */
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
        <Icon of="rotate-cw" size={14} className={cn(pending && "animate-spin")} />
        {pending ? t("checking") : t("check")}
        {isResting ? <span className="text-sm font-normal tabular-nums">{ours("rest", { seconds: rest })}</span> : null}
      </Button>
    </>
  );
}
