"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type ReactNode, useId, useState } from "react";
import { TabLinks } from "@/components/ui/tab-links";
import { isRole, ROLES } from "@/lib/permission/permission";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { formatCount } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import type { StaffFilter, Delivered, StaffRow } from "@/lib/staff/inputs";
import { STAFF_VIEWS, type StaffView } from "@/lib/staff/view";
import Link from "next/link";
import { Confirmation } from "@/components/layout/confirmation";
import { Freshness } from "@/components/freshness/freshness";
import { PageHeader } from "@/components/layout/page-header";
import { StaleNotice } from "@/components/freshness/stale-notice";
import { Button } from "@/components/ui/button";
import { useEarlyChoice, useEarlyText } from "@/components/ui/field";
import { useLivePage } from "@/components/live/use-live-page";
import { deferred } from "@/components/layout/deferred";
import type { StaffList } from "@/lib/staff/queries";
import type { StaffScope } from "./role-choice";
import { StaffTable, useFoundStaff } from "./staff-table";

const CONTROL = cn(INPUT_CLASS, "h-7 px-2 text-sm");

const addressOf = ({ state, role }: Partial<StaffFilter>) =>
  hrefWith("/staff", { state: state === "all" ? undefined : state, role });

type StaffToolbarProps = {
  filter: StaffFilter;
  counts: Record<StaffView, number>;
  typed: string;
  onSeek: (typed: string) => void;
  children: ReactNode;
};

function StaffToolbar({ filter, counts, typed, onSeek, children }: StaffToolbarProps) {
  const t = useTranslations();
  const locale = useLocale();
  const router = useRouter();
  const id = useId();
  const tabs = STAFF_VIEWS.map((view) => ({
    href: addressOf({ state: view, role: filter.role }),
    label: t(`staff.views.${view}`),
    count: formatCount(counts[view], locale),
    isCurrent: view === filter.state,
  }));
  const choose = (name: string) =>
    router.push(addressOf({ state: filter.state, role: isRole(name) ? name : undefined }), { scroll: false });
  useEarlyText(id, typed, ({ target }) => onSeek(target.value));
  useEarlyChoice(`${id}-role`, filter.role ?? "", choose);
  return (
    <div className="tabs-bar border-y border-line px-5">
      <div className="min-w-0 flex-auto">
        <TabLinks label={t("staff.viewsLabel")} tabs={tabs} />
      </div>
      <div className="flex flex-1 items-center gap-x-3 py-1.5">
        <div className="relative min-w-32 flex-1 basis-56">
          <Icon of="search" size={13} className="pointer-events-none absolute top-1.75 left-2 text-faint" />
          <input
            id={id}
            type="text"
            role="searchbox"
            value={typed}
            onChange={(event) => onSeek(event.target.value)}
            aria-label={t("staff.search")}
            placeholder={t("staff.search")}
            autoComplete="off"
            spellCheck={false}
            className={cn(CONTROL, "px-7")}
          />
          {typed === "" ? null : (
            <button
              type="button"
              aria-label={t("staff.clearSearch")}
              onClick={() => onSeek("")}
              className="absolute top-0.5 right-0.5 grid size-6 place-items-center rounded-sm text-muted hover:bg-hover hover:text-ink"
            >
              <Icon of="x" size={13} />
            </button>
          )}
        </div>
        <div className="w-38 shrink-0">
          <select
            id={`${id}-role`}
            autoComplete="off"
            aria-label={t("staff.roleFilter")}
            value={filter.role ?? ""}
            onChange={(event) => choose(event.target.value)}
            className={CONTROL}
          >
            <option value="">{t("staff.anyRole")}</option>
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {t(`roles.${role}`)}
              </option>
            ))}
          </select>
        </div>
        {children}
      </div>
    </div>
  );
}

const loadInvite = () => import("./invite-dialog");
const InviteDialog = deferred(() => loadInvite().then((loaded) => loaded.InviteDialog));
const LinkDialog = deferred(() => import("./link-dialog").then((loaded) => loaded.InvitationLinkDialog));
const RenewDialog = deferred(() => import("./invitation-dialogs").then((loaded) => loaded.RenewDialog));
const RevokeDialog = deferred(() => import("./invitation-dialogs").then((loaded) => loaded.RevokeDialog));

type Open =
  | { dialog: "invite" }
  | { dialog: "renew" | "revoke"; row: StaffRow }
  | { dialog: "link"; delivered: Delivered }
  | null;

type StaffScreenProps = { initial: StaffList; filter: StaffFilter; staffScope: StaffScope };

export function StaffScreen({ initial, filter, staffScope }: StaffScreenProps) {
  const t = useTranslations("staff");
  const live = useLivePage({ address: "/api/staff", topic: "staff", initial });
  const [open, setOpen] = useState<Open>(null);
  const [done, setDone] = useState<string | null>(null);
  const found = useFoundStaff(live.page.rows, filter);
  const { asOf } = live.page;
  const close = () => setOpen(null);
  const showLink = (delivered: Delivered) => {
    setOpen({ dialog: "link", delivered });
    live.refresh();
  };

  const invited = (made: Delivered | { state: "PROPOSED"; name: string }) => {
    if (!("state" in made)) return showLink(made);
    close();
    setDone(t("inviteProposed", { name: made.name }));
    live.refresh();
  };

  return (
    <>
      <PageHeader title={t("title")} lead={t("lead", { tenant: staffScope.tenant })}>
        <Link href="/access" prefetch={false} className="text-sm text-accent hover:underline">
          {t("reviewLink")}
        </Link>
        <Link href="/staff/roles" prefetch={false} className="text-sm text-accent hover:underline">
          {t("rolesLink")}
        </Link>
        <Button
          tone="primary"
          onClick={() => setOpen({ dialog: "invite" })}
          onFocus={() => void loadInvite()}
          onPointerEnter={() => void loadInvite()}
        >
          {t("invite")}
        </Button>
      </PageHeader>
      <StaffToolbar filter={filter} counts={found.counts} typed={found.typed} onSeek={found.seek}>
        <Freshness asOf={asOf} isRefreshing={live.isRefreshing} refresh={live.refresh} isSilent />
      </StaffToolbar>
      {live.trouble ? <StaleNotice fresh={live.page} trouble={live.trouble} /> : null}
      <StaffTable
        found={found}
        now={asOf ?? ""}
        onRenew={(row) => setOpen({ dialog: "renew", row })}
        onRevoke={(row) => setOpen({ dialog: "revoke", row })}
      />
      {open?.dialog === "invite" ? <InviteDialog staffScope={staffScope} onClose={close} onDone={invited} /> : null}
      {open?.dialog === "link" ? <LinkDialog delivered={open.delivered} onClose={close} /> : null}
      {open?.dialog === "renew" ? <RenewDialog row={open.row} onClose={close} onDone={showLink} /> : null}
      {open?.dialog === "revoke" ? (
        <RevokeDialog
          row={open.row}
          onClose={close}
          onDone={() => {
            close();
            setDone(t("revoked", { name: open.row.name }));
            live.refresh();
          }}
        />
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
