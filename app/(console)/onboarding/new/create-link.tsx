import { Plus } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { PermittedLink } from "@/components/ui/permitted-link";

export async function CreateLink({ isPrimary = false }: { isPrimary?: boolean }) {
  const [desk, t] = await Promise.all([requireDesk(), getTranslations("accountForm")]);
  return (
    <PermittedLink
      href="/onboarding/new"
      denial={await denialOf(desk.permissions, "onboarding:create")}
      isPrimary={isPrimary}
    >
      <Plus aria-hidden size={14} />
      {t("button")}
    </PermittedLink>
  );
}
