"use client";

import { Link2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { AttemptView } from "@/lib/onboarding/queries";

const loadDialog = () => import("./join-dialog");
// Without ssr: false the dialog would suspend the whole screen while it loads.
const JoinDialog = dynamic(() => loadDialog().then((loaded) => loaded.JoinDialog), { ssr: false });

type JoinButtonProps = { id: string; joinable: readonly AttemptView[] };

export function JoinButton({ id, joinable }: JoinButtonProps) {
  const t = useTranslations("onboardingRecord");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} onPointerEnter={() => void loadDialog()}>
        <Link2 aria-hidden size={13} />
        {t("join")}
      </Button>
      {isOpen ? <JoinDialog id={id} joinable={joinable} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
