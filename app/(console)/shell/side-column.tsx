import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { deniedReason } from "@/app/(console)/permission-denied";
import type { Permission, Role } from "@/lib/permission/permission";
import { DeniedScreens, NavList } from "./nav-item";
import { isLabOpen } from "@/lib/lab/queries";
import { screenGroups } from "./screens";
import Link from "next/link";
import { EnvironmentBadge } from "@/components/layout/badges";
import { Wordmark } from "@/components/layout/wordmark";
import { cn } from "@/components/ui/cn";
import type { Theme } from "@/lib/preferences/view";
import type { ProviderStanding } from "@/lib/calls/queries";
import { ProviderMeter } from "./provider-meter";
import { SearchButton } from "./search";
import type { TenantOption } from "./tenant-menu";
import { PersonMenu, TenantSlot } from "./menus";
import { DRAWER_ID } from "./top-bar";

async function Navigation({ permissions }: { permissions: readonly Permission[] }) {
  const t = await getTranslations("shell");
  const groups = await Promise.all(
    screenGroups({ hasLab: isLabOpen() }).map(async ({ name, screens }) => ({
      name,
      screens: await Promise.all(
        screens.map(async ({ permission, ...screen }) => ({
          ...screen,
          denial: permission === null ? null : await deniedReason(permissions, permission),
        })),
      ),
    })),
  );
  const open = groups.map(({ name, screens }) => ({ name, items: screens.filter(({ denial }) => denial === null) }));
  const denied = groups.flatMap(({ screens }) => screens.filter(({ denial }) => denial !== null));
  return (
    <nav aria-label={t("navigation")} className="scroll-edges flex-1 space-y-3 px-2.5 py-2">
      {open.map(({ name, items }) =>
        items.length === 0 ? null : (
          <div key={name}>
            {name ? <p className="mb-1 px-2.5 text-xs font-medium text-faint">{t(`groups.${name}`)}</p> : null}
            <NavList items={items} />
          </div>
        ),
      )}
      {denied.length === 0 ? null : (
        <DeniedScreens label={t("withoutAccess", { count: denied.length })} items={denied} />
      )}
    </nav>
  );
}

type SideColumnProps = {
  scope: {
    person: { name: string; email: string; roles: readonly Role[] };
    tenant: TenantOption;
    tenants: readonly TenantOption[];
    permissions: readonly Permission[];
  };
  theme: Theme;
  standing: ProviderStanding;
};

const PLACE = "rounded border border-line px-2.5 py-2";

/** A drawer on narrow windows, beside the screen on wide ones. */
export function SideColumn({ scope, theme, standing }: SideColumnProps) {
  const t = useTranslations();
  const { roles, ...person } = scope.person;
  const tenantSlot = (
    <span className="block min-w-0 flex-1">
      <span className="mb-1.5 block truncate text-sm font-medium" title={scope.tenant.name}>
        {scope.tenant.name}
      </span>
      <EnvironmentBadge environment={scope.tenant.environment} />
    </span>
  );
  return (
    <header id={DRAWER_ID} popover="auto" className="side-column z-30 flex-col bg-canvas text-ink">
      <div className="px-5 pt-4.5 pb-3">
        <Link href="/" prefetch={false} className="inline-flex">
          <Wordmark />
        </Link>
      </div>
      <div className="mx-2.5 mb-2">
        <p className="sr-only">{t("shell.tenant")}</p>
        {scope.tenants.length === 1 ? (
          <div className={PLACE}>{tenantSlot}</div>
        ) : (
          <TenantSlot
            current={scope.tenant}
            options={scope.tenants}
            className={cn(PLACE, "flex w-full")}
            panelClassName="top-33 left-2.5 w-72"
          >
            {tenantSlot}
          </TenantSlot>
        )}
      </div>
      <div className="mx-2.5 mb-1.5">
        <SearchButton />
      </div>
      <Navigation permissions={scope.permissions} />
      <ProviderMeter initial={standing} />
      <PersonMenu
        {...person}
        label={t("shell.account")}
        roles={roles.map((role) => t(`roles.${role}`)).join(", ")}
        theme={theme}
      />
    </header>
  );
}
