import { getTranslations } from "next-intl/server";
import { type Permission, rolesWith } from "@/lib/auth/permission";

/** Why a control is disabled for someone who holds `granted`, naming the roles that may; null when it is theirs to use. */
export async function denialOf(granted: readonly Permission[], permission: Permission): Promise<string | null> {
  if (granted.includes(permission)) return null;
  const t = await getTranslations();
  const roles = rolesWith(permission).map((role) => t(`roles.${role}`));
  return t("common.notAllowed", { roles: roles.join(", ") });
}
