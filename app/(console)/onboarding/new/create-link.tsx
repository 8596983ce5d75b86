import { Icon } from "@/components/ui/icons";
import { getTranslations } from "next-intl/server";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope } from "@/app/(console)/screen";
import { PermittedLink } from "@/components/ui/permitted-link";

export async function CreateLink({ isPrimary = false }: { isPrimary?: boolean }) {
  const [scope, t] = await Promise.all([requireScope(), getTranslations("accountForm")]);
  return (
    <PermittedLink
      href="/onboarding/new"
      denial={await deniedReason(scope.permissions, "onboarding:create")}
      isPrimary={isPrimary}
    >
      <Icon of="plus" size={14} />
      {t("button")}
    </PermittedLink>
  );
}
