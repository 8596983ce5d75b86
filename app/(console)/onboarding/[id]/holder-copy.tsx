"use client";

import { Check, Copy } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { useAction } from "@/components/use-action";
import { takeBiometricLink } from "@/lib/onboarding/actions";

const SHOWN_MS = 2_000;

type HolderCopyProps = {
  text: string;
  /** The onboarding whose biometric link goes with the text, taken on record as it is copied; null: none does. */
  linkOf: string | null;
};

/** Copies what may be passed on to the holder. */
export function HolderCopy({ text, linkOf }: HolderCopyProps) {
  const t = useTranslations("onboardingRecord");
  const router = useRouter();
  const { pending, failure, run } = useAction(takeBiometricLink);
  const [wasCopied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (wasCopied !== true) return undefined;
    const timer = setTimeout(() => setCopied(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [wasCopied]);

  const write = (whole: string) =>
    void navigator.clipboard.writeText(whole).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const copy = () => {
    setCopied(null);
    if (linkOf === null) return write(text);
    run({ id: linkOf, use: "copied" }, ({ href }) => {
      write(`${text}\n\n${href}`);
      router.refresh();
    });
  };
  const Icon = wasCopied === true ? Check : Copy;
  return (
    <div>
      <Button size="small" isBusy={pending} onClick={copy}>
        <Icon aria-hidden size={13} />
        <span aria-live="polite">{wasCopied === true ? t("copiedHolder") : t("copyHolder")}</span>
      </Button>
      <p aria-live="assertive" className="mt-1 text-sm text-negative empty:hidden">
        {failure ? <FailureText failure={failure} /> : null}
        {wasCopied === false ? t("holderNotCopied") : null}
      </p>
    </div>
  );
}
