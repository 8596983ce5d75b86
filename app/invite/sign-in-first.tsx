"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { Button, buttonClass } from "@/components/ui/button";

/** Signing in happens in another tab, so that this one keeps the token; whoever comes back to it goes on by itself. */
export function SignInFirst({ onBack }: { onBack: () => void }) {
  const t = useTranslations("invite");
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") onBack();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [onBack]);
  return (
    <div className="flex flex-wrap gap-2">
      <a href="/sign-in" target="_blank" rel="noopener" className={buttonClass("primary", "large")}>
        {t("signIn")}
      </a>
      <Button size="large" onClick={onBack}>
        {t("again")}
      </Button>
    </div>
  );
}
