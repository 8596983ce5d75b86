"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { LanguageSwitch, ThemeSwitch } from "@/app/language-theme-switch";
import { useShortcutSetting } from "./shortcut-setting";
import { useScope } from "@/components/session/scope";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import { leave } from "@/lib/auth/view";
import type { ProviderStanding } from "@/lib/calls/queries";
import { helpFor } from "@/lib/help/view";
import type { Theme } from "@/lib/preferences/view";

function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className={cn(buttonClass("plain"), "w-full")}
      onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}
    >
      {children}
    </Link>
  );
}

export function SignOutButton({ label, failure }: { label: string; failure: string }) {
  const [state, setState] = useState<"idle" | "leaving" | "failed">("idle");
  const { announceEnd } = useScope();
  const signOut = async () => {
    setState("leaving");
    if (!(await leave(announceEnd))) setState("failed");
  };
  return (
    <div>
      <button
        type="button"
        aria-busy={state === "leaving"}
        onClick={() => void signOut()}
        className={cn(buttonClass("plain"), "w-full")}
      >
        <Icon of="log-out" size={14} />
        {label}
      </button>
      <p role="alert" className="mt-1.5 text-sm text-negative empty:hidden">
        {state === "failed" ? failure : null}
      </p>
    </div>
  );
}

type PersonPanelProps = { name: string; email: string; roles: string; theme: Theme };

export function PersonPanel({ name, email, roles, theme }: PersonPanelProps) {
  const t = useTranslations();
  const shortcuts = useShortcutSetting();
  const page = helpFor(usePathname());
  return (
    <>
      <div className="min-w-0">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-sm text-muted">{email}</p>
        <p className="mt-1 text-sm text-muted">
          {t("shell.roles")}: <span className="text-ink">{roles}</span>
        </p>
      </div>
      <LanguageSwitch />
      <ThemeSwitch current={theme} />
      <MenuLink href={page === null ? "/help" : `/help/${page}`}>
        <Icon of="circle-help" size={14} strokeWidth={1.75} />
        {t(page === null ? "help.title" : "help.thisScreen")}
      </MenuLink>
      <MenuLink href="/staff/roles">
        <Icon of="roles" size={14} strokeWidth={1.75} />
        {t("staff.rolesLink")}
      </MenuLink>
      <MenuLink href="/security">
        <Icon of="shield-check" size={14} strokeWidth={1.75} />
        {t("security.title")}
      </MenuLink>
      <button
        type="button"
        aria-keyshortcuts="?"
        className={cn(buttonClass("plain"), "w-full max-wide:hidden")}
        onClick={({ currentTarget }) => {
          currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
          shortcuts.show();
        }}
      >
        <Icon of="keyboard" size={14} />
        {t("triage.keys.title")}
      </button>
      <SignOutButton label={t("shell.signOut")} failure={t("shell.signOutFailed")} />
    </>
  );
}

const LANES = ["money", "people", "watchers"] as const;

type ProviderPanelProps = { standing: ProviderStanding; reason: string | null; isUnread: boolean };

export function ProviderPanel({ standing, reason, isUnread }: ProviderPanelProps) {
  const t = useTranslations("provider");
  return (
    <>
      <p className="font-medium">{t("heading")}</p>
      <p className="text-muted">{t("explanation", { configured: standing.configured })}</p>
      <dl className="space-y-1.5">
        {LANES.map((lane) => (
          <div key={lane} className="flex items-baseline justify-between gap-3">
            <dt>{t(`lanes.${lane}`)}</dt>
            <dd className="text-end tabular-nums">
              {standing.byLane[lane]}
              {standing.waiting[lane] > 0 ? (
                <span className="text-muted"> · {t("inLine", { count: standing.waiting[lane] })}</span>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
      {reason ? <p>{reason}</p> : null}
      {isUnread ? <p className="text-muted">{t("unread")}</p> : null}
    </>
  );
}
