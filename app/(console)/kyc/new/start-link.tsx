import { Plus } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";

/** The way from the queue to the form; whoever may not start a case is told who may. */
export async function StartLink() {
  const [desk, t] = await Promise.all([requireDesk(), getTranslations("kycStart")]);
  const denial = await denialOf(desk.permissions, "kyc:start");
  const label = (
    <>
      <Plus aria-hidden size={14} />
      {t("button")}
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
    <Link href="/kyc/new" prefetch={false} className={buttonClass("plain")}>
      {label}
    </Link>
  );
}
