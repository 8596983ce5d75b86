import { ChevronsUpDown, KeyRound, ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { LanguageSwitch } from "@/app/language-switch";
import { ThemeSwitch } from "@/app/theme-switch";
import type { Role } from "@/lib/auth/permission";
import { initialsOf } from "@/lib/initials";
import type { Theme } from "@/lib/theme";
import { MenuLink } from "./menu-link";
import { SignOutButton } from "./sign-out-button";

const MENU_ID = "person-menu";

type Person = { name: string; email: string; roles: readonly Role[] };

/** Who is signed in and as what, and the preferences that are theirs. */
export function PersonMenu({ person, theme }: { person: Person; theme: Theme }) {
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
        <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-faint" />
      </button>
      {/* Its backdrop dims nothing, yet with one Chromium stops painting what lies behind the drawer. Assistive checks know no top layer. */}
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
          <KeyRound aria-hidden size={14} />
          {t("staff.rolesLink")}
        </MenuLink>
        <MenuLink href="/security">
          <ShieldCheck aria-hidden size={14} />
          {t("security.title")}
        </MenuLink>
        <SignOutButton label={t("shell.signOut")} failure={t("shell.signOutFailed")} />
      </div>
    </div>
  );
}
