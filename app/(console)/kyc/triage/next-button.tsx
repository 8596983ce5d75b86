"use client";

import { ArrowRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useAction } from "@/components/use-action";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { newIntentId } from "@/lib/intent";
import { takeNextCase } from "@/lib/kyc/actions";
import { holdKeys, releaseKeys } from "./use-keys";

/** By which it is found to be focused, once a case is decided. */
export const NEXT_BUTTON_ID = "next-case";

export type Next = {
  take: () => void;
  isPending: boolean;
  /** Why there is none. */ message: string | null;
  dismiss: () => void;
};

/** Claims the most urgent case that nobody has, and opens it. */
export function useNext(): Next {
  const t = useTranslations("triage.next");
  const router = useRouter();
  const { pending, run } = useAction(takeNextCase);
  const [message, setMessage] = useState<string | null>(null);
  // Kept as long as no answer came: pressed again, it claims the case that the lost answer named.
  const [attemptId, setAttemptId] = useState(newIntentId);
  const take = () => {
    setMessage(null);
    holdKeys();
    run(
      { attemptId },
      (next) => {
        setAttemptId(newIntentId());
        if (next.kycUUID === null) {
          releaseKeys();
          setMessage(t("none", { own: next.ownWaiting, read: next.isListRead ? "yes" : "no" }));
          return;
        }
        const address = `/kyc/${encodeURIComponent(next.kycUUID)}`;
        // The case in sight stays: no other one comes to take the keys.
        if (address === location.pathname) releaseKeys();
        router.push(address);
      },
      (failed) => {
        releaseKeys();
        setMessage(failed.message);
      },
    );
  };
  return { take, isPending: pending, message, dismiss: () => setMessage(null) };
}

type NextButtonProps = { next: Next; denial: string | null; isPrimary?: boolean };

export function NextButton({ next, denial, isPrimary = false }: NextButtonProps): ReactNode {
  const t = useTranslations("triage.next");
  const label = (
    <>
      {t("label")}
      <ArrowRight aria-hidden size={14} />
    </>
  );
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain")}>
        {label}
      </DeniedButton>
    );
  }
  return (
    <Button
      id={NEXT_BUTTON_ID}
      tone={isPrimary ? "primary" : "plain"}
      isBusy={next.isPending}
      onClick={next.take}
      aria-keyshortcuts="n"
    >
      {label}
    </Button>
  );
}
