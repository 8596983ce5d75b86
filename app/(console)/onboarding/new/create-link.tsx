import { Plus } from "lucide-react";
import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";

/** The way to the form; whoever may not ask for accounts is told who may. */
export async function CreateLink() {
  const [desk, t] = await Promise.all([requireDesk(), getTranslations("accountForm")]);
  const denial = await denialOf(desk.permissions, "onboarding:create");
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
    <Link href="/onboarding/new" prefetch={false} className={buttonClass("plain")}>
      {label}
    </Link>
  );
}
