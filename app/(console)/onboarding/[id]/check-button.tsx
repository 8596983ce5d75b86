"use client";

import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { useAction } from "@/components/use-action";
import { cn } from "@/lib/cn";
import { checkOnboarding } from "@/lib/onboarding/actions";

/** Asks the provider now instead of waiting for the next round. */
export function CheckButton({ id }: { id: string }) {
  const t = useTranslations("onboarding");
  const router = useRouter();
  const { pending, failure, run } = useAction(checkOnboarding);
  return (
    <>
      <p aria-live="polite" className="text-sm wrap-anywhere text-negative">
        {failure ? <FailureText failure={failure} /> : null}
      </p>
      <Button isBusy={pending} onClick={() => run({ id }, () => router.refresh())}>
        <RotateCw aria-hidden size={14} className={cn(pending && "animate-spin")} />
        {pending ? t("checking") : t("check")}
      </Button>
    </>
  );
}
