"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { Freshness } from "@/components/live/freshness";
import { PageHeader } from "@/components/layout/page-header";
import { StaleNotice } from "@/components/live/stale-notice";
import { Button } from "@/components/ui/button";
import { useLivePage } from "@/components/live/use-live-page";
import { deferred } from "@/components/ui/deferred";
import type { Role } from "@/lib/auth/permission";
import type { StaffList } from "@/lib/staff/queries";
import type { Delivered, StaffFilter, StaffRow } from "@/lib/staff/rules";
import { StaffTable, useFoundStaff } from "./staff-table";
import { StaffToolbar } from "./staff-toolbar";

const loadInvite = () => import("./invite-dialog");
const InviteDialog = deferred(() => loadInvite().then((loaded) => loaded.InviteDialog));
const LinkDialog = deferred(() => import("./link-dialog").then((loaded) => loaded.InvitationLinkDialog));
const RenewDialog = deferred(() => import("./invitation-dialogs").then((loaded) => loaded.RenewDialog));
const RevokeDialog = deferred(() => import("./invitation-dialogs").then((loaded) => loaded.RevokeDialog));

export type Place = { tenant: string; rolesWithFactor: readonly Role[] };

type Open =
  | { dialog: "invite" }
  | { dialog: "renew" | "revoke"; row: StaffRow }
  | { dialog: "link"; delivered: Delivered }
  | null;

type StaffScreenProps = { initial: StaffList; filter: StaffFilter; place: Place };

export function StaffScreen({ initial, filter, place }: StaffScreenProps) {
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
  };

  return (
    <>
      <PageHeader title={t("title")} lead={t("lead", { tenant: place.tenant })}>
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
      <StaffToolbar filter={filter} counts={found.counts} sought={found.sought} onSeek={found.seek}>
        <Freshness asOf={asOf} isRefreshing={live.isRefreshing} refresh={live.refresh} isSilent />
      </StaffToolbar>
      {live.trouble ? <StaleNotice fresh={live.page} trouble={live.trouble} /> : null}
      <StaffTable
        found={found}
        now={asOf ?? ""}
        onRenew={(row) => setOpen({ dialog: "renew", row })}
        onRevoke={(row) => setOpen({ dialog: "revoke", row })}
      />
      {open?.dialog === "invite" ? <InviteDialog place={place} onClose={close} onDone={invited} /> : null}
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
