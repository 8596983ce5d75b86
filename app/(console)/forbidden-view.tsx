import { Lock } from "lucide-react";
import { useTranslations } from "next-intl";
import { EmptyView } from "@/components/empty-view";
import { type Permission, rolesWith } from "@/lib/auth/permission";

/** A screen the person's roles do not grant: says which roles do. */
export function ForbiddenView({ permission }: { permission: Permission }) {
  const t = useTranslations();
  const roles = rolesWith(permission).map((role) => t(`roles.${role}`));
  return (
    <EmptyView
      isScreen
      icon={Lock}
      title={t("absent.forbiddenTitle")}
      body={t("absent.forbiddenBody", { roles: roles.join(", ") })}
    />
  );
}
