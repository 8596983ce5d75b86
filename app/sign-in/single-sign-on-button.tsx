"use client";

import { Building2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { singleSignOnAddress } from "@/lib/sign-in";

type SingleSignOnButtonProps = {
  /** This tab holds what its person wrote: the way leads through another one. */
  isTabKept: boolean;
};

/** Leads to the company's own sign-in, and says when it cannot be reached. */
export function SingleSignOnButton({ isTabKept }: SingleSignOnButtonProps) {
  const t = useTranslations("signIn");
  const [state, setState] = useState<"idle" | "leaving" | "unreachable">("idle");
  const leave = async () => {
    if (state === "leaving") return;
    setState("leaving");
    // Opened at the click itself: later it would be taken for a pop-up.
    const other = isTabKept ? window.open("about:blank", "_blank") : null;
    if (other !== null) other.opener = null;
    const address = await singleSignOnAddress();
    if (address === null) {
      other?.close();
      return setState("unreachable");
    }
    (other ?? window).location.assign(address);
    if (other !== null) setState("idle");
  };
  return (
    <div className="mb-5">
      <Button size="large" isBusy={state === "leaving"} className="w-full" onClick={() => void leave()}>
        <Building2 aria-hidden size={16} />
        {t("singleSignOn")}
      </Button>
      {isTabKept ? <p className="mt-1.5 text-sm text-muted">{t("singleSignOnKeeps")}</p> : null}
      <div role="alert" className="mt-3 empty:hidden">
        {state === "unreachable" ? <Notice tone="negative">{t("sso-failed")}</Notice> : null}
      </div>
      <p className="mt-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </p>
    </div>
  );
}
