import { getTranslations } from "next-intl/server";
import { type Permission, rolesWith } from "@/lib/auth/permission";

/** Null when it is granted. */
export async function denialOf(granted: readonly Permission[], permission: Permission): Promise<string | null> {
  if (granted.includes(permission)) return null;
  const t = await getTranslations();
  const roles = rolesWith(permission).map((role) => t(`roles.${role}`));
  return t("common.notAllowed", { roles: roles.join(", ") });
}
