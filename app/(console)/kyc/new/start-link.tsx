import { Plus } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { PermittedLink } from "@/components/ui/permitted-link";

export async function StartLink() {
  const [desk, t] = await Promise.all([requireDesk(), getTranslations("kycStart")]);
  return (
    <PermittedLink href="/kyc/new" denial={await denialOf(desk.permissions, "kyc:start")}>
      <Plus aria-hidden size={14} />
      {t("button")}
    </PermittedLink>
  );
}
