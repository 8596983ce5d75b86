import { Icon, type IconName } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import type { Permission, Role } from "@/lib/auth/permission";
import { NavItem, MenuLink } from "./nav-item";
import { SCREEN_GROUPS, type ScreenName } from "./screens";
import Link from "next/link";
import { LanguageSwitch, ThemeSwitch } from "@/app/switch";
import { EnvironmentBadge } from "@/components/layout/badges";
import { Wordmark } from "@/components/layout/wordmark";
import { cn } from "@/components/ui/cn";
import type { Theme } from "@/lib/preferences/view";
import type { ProviderStanding } from "@/lib/calls/queries";
import { initialsOf } from "@/lib/text/format";
import { ProviderMeter } from "./provider-meter";
import { SearchButton } from "./search";
import { SignOutButton } from "./sign-out-button";
import type { TenantOption } from "./tenant-menu";
import { TenantSlot } from "./tenant-slot";
import { DRAWER_ID } from "./top-bar";

async function Navigation({ permissions }: { permissions: readonly Permission[] }) {
  const t = await getTranslations("shell");
  const groups = await Promise.all(
    SCREEN_GROUPS.map(async ({ name, screens }) => ({
      name,
      screens: await Promise.all(
        screens.map(async ({ permission, ...screen }) => ({
          ...screen,
          denial: permission === null ? null : await denialOf(permissions, permission),
        })),
      ),
    })),
  );
  const open = groups.map(({ name, screens }) => ({ name, items: screens.filter(({ denial }) => denial === null) }));
  const denied = groups.flatMap(({ screens }) => screens.filter(({ denial }) => denial !== null));
  return (
    <nav aria-label={t("navigation")} className="flex-1 space-y-4 overflow-y-auto px-2.5 py-2">
      {open.map(({ name, items }) =>
        items.length === 0 ? null : (
          <div key={name}>
            {name ? <p className="mb-1 px-2.5 text-xs font-medium text-faint">{t(`groups.${name}`)}</p> : null}
            <NavList items={items} />
          </div>
        ),
      )}
      {denied.length === 0 ? null : (
        <details className="group">
          <summary className="flex h-8 list-none items-center gap-2.5 rounded px-2.5 text-sm text-faint outline-offset-[-2px] hover:bg-hover hover:text-ink">
            <Icon of="lock" size={12} className="mx-0.5" />
            {t("withoutAccess", { count: denied.length })}
            <Icon of="chevron-right" size={12} className="ml-auto group-open:rotate-90" />
          </summary>
          <NavList items={denied} />
        </details>
      )}
    </nav>
  );
}

type NavListProps = { items: readonly { name: ScreenName; icon: IconName; href: string; denial: string | null }[] };

function NavList({ items }: NavListProps) {
  const t = useTranslations("shell");
  return (
    <ul className="space-y-px">
      {items.map(({ name, icon, href, denial }) => (
        <li key={name}>
          <NavItem href={href} label={t(name)} icon={icon} denial={denial} />
        </li>
      ))}
    </ul>
  );
}

const MENU_ID = "person-menu";

type Person = { name: string; email: string; roles: readonly Role[] };

function PersonMenu({ person, theme }: { person: Person; theme: Theme }) {
  const t = useTranslations();
  const roles = person.roles.map((role) => t(`roles.${role}`)).join(", ");
  return (
    <div className="border-t border-line p-2.5">
      <button
        type="button"
        popoverTarget={MENU_ID}
        aria-label={`${t("shell.account")}: ${person.name}, ${roles}`}
        className="flex w-full items-center gap-2.5 rounded px-1.5 py-1.5 text-start hover:bg-hover"
      >
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-tint text-xs font-semibold text-accent"
        >
          {initialsOf(person.name)}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-medium">{person.name}</span>
          <span className="block truncate text-xs text-muted">{roles}</span>
        </span>
        <Icon of="chevrons-up-down" size={14} className="shrink-0 text-faint" />
      </button>
      {/* Even a transparent backdrop makes Chromium stop painting what lies behind. Assistive checks know no top layer. */}
      <div
        id={MENU_ID}
        popover="auto"
        className="fixed inset-auto bottom-16 left-2.5 z-50 m-0 w-66 space-y-3.5 rounded-lg bg-raised p-3.5 text-ink shadow-float backdrop:hidden"
      >
        <div className="min-w-0">
          <p className="truncate font-medium">{person.name}</p>
          <p className="truncate text-sm text-muted">{person.email}</p>
          <p className="mt-1 text-sm text-muted">
            {t("shell.roles")}: <span className="text-ink">{roles}</span>
          </p>
        </div>
        <LanguageSwitch />
        <ThemeSwitch current={theme} />
        <MenuLink href="/staff/roles">
          <Icon of="roles" size={14} strokeWidth={1.75} />
          {t("staff.rolesLink")}
        </MenuLink>
        <MenuLink href="/security">
          <Icon of="shield-check" size={14} strokeWidth={1.75} />
          {t("security.title")}
        </MenuLink>
        <SignOutButton label={t("shell.signOut")} failure={t("shell.signOutFailed")} />
      </div>
    </div>
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
  const t = useTranslations("shell");
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
        <p className="sr-only">{t("tenant")}</p>
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
      <PersonMenu person={scope.person} theme={theme} />
    </header>
  );
}
