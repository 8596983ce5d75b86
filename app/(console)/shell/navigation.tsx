import { Lock } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { DeniedButton } from "@/components/ui/denied-button";
import { cn } from "@/lib/cn";
import type { Permission } from "@/lib/auth/permission";
import { denialOf } from "@/app/(console)/denial";
import { NAV_ITEM_CLASS } from "./nav-item-class";
import { NavLink } from "./nav-link";
import { SCREEN_GROUPS } from "./screens";

/** Every screen stays listed; one that is not for the person says who it is for. */
export async function Navigation({ permissions }: { permissions: readonly Permission[] }) {
  const t = await getTranslations("shell");
  const denials = new Map<Permission, string | null>();
  for (const { permission } of SCREEN_GROUPS.flatMap((group) => group.screens)) {
    if (permission) denials.set(permission, await denialOf(permissions, permission));
  }
  return (
    <nav aria-label={t("navigation")} className="flex-1 space-y-4 overflow-y-auto px-2.5 py-2">
      {SCREEN_GROUPS.map((group) => (
        <div key={group.name}>
          {group.name ? (
            <p className="mb-1 px-2.5 text-xs font-medium text-faint">{t(`groups.${group.name}`)}</p>
          ) : null}
          <ul className="space-y-px">
            {group.screens.map(({ name, href, icon: Icon, permission }) => {
              const denial = permission ? (denials.get(permission) ?? null) : null;
              const content = (
                <>
                  <Icon aria-hidden size={16} strokeWidth={1.75} />
                  {t(name)}
                </>
              );
              return (
                <li key={name}>
                  {denial === null ? (
                    <NavLink href={href}>{content}</NavLink>
                  ) : (
                    <DeniedButton
                      isWide
                      reason={denial}
                      className={cn(NAV_ITEM_CLASS, "cursor-not-allowed text-faint")}
                    >
                      {content}
                      <Lock aria-hidden size={12} className="ml-auto" />
                    </DeniedButton>
                  )}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
