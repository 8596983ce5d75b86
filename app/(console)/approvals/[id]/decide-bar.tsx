"use client";

import { Icon } from "@/components/ui/icons";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { ShortcutButton, useShortcuts } from "@/app/(console)/approvals/shortcuts";
import { CarryOut } from "@/app/(console)/accounts/closure/execute";
import { ShortcutSheet } from "@/app/(console)/shell/list-keys";
import { useRefresh } from "@/components/live/live-refresh";
import { Confirmation } from "@/components/layout/confirmation";
import { Notice } from "@/components/ui/notice";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";
import { focusTitle, isFocusLost } from "@/components/ui/focus";
import { approvalCan } from "@/lib/approvals/can";
import { doneOf } from "@/lib/approvals/view";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import type { Delivered } from "@/lib/staff/inputs";

const loadDialogs = () => import("./dialogs");
const preload = () => void loadDialogs();
const AuthoriseDialog = deferred(() => loadDialogs().then((loaded) => loaded.AuthoriseDialog));
const RefuseDialog = deferred(() => loadDialogs().then((loaded) => loaded.RefuseDialog));
const WithdrawDialog = deferred(() => loadDialogs().then((loaded) => loaded.WithdrawDialog));
const LinkDialog = deferred(() =>
  import("@/app/(console)/staff/link-dialog").then((loaded) => loaded.InvitationLinkDialog),
);

const NOT_DONE: readonly ApprovalState[] = ["FAILED", "UNKNOWN", "EXPIRED"];

type Opened = "authorise" | "refuse" | "withdraw" | "keys" | null;

function neighboursOf({ row, waiting, nextToDecide }: ApprovalRecord) {
  const at = waiting.indexOf(row.id);
  return at === -1
    ? { next: nextToDecide ?? waiting[0], previous: undefined }
    : { next: waiting[at + 1], previous: at === 0 ? undefined : waiting[at - 1] };
}

/** When the pressed button disappears, focus goes to the screen's title. */
function useFocusKept(state: ApprovalState, hasDialog: boolean): void {
  useEffect(() => {
    if (state === "PENDING" || hasDialog) return;
    // A closing dialog returns the focus a moment later.
    const timer = setTimeout(() => {
      if (isFocusLost()) focusTitle();
    }, 50);
    return () => clearTimeout(timer);
  }, [state, hasDialog]);
}

const READ_AGAIN_MS = 30_000;

/** Reads balances again when a decision begins and until it ends. */
function useReadAgain(isDeciding: boolean): void {
  const refresh = useRefresh();
  useEffect(() => {
    if (!isDeciding) return undefined;
    refresh();
    const timer = setInterval(refresh, READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isDeciding, refresh]);
}

const agreedIn = ({ row, shown, deciderName }: ApprovalRecord) => ({
  approvalId: row.id,
  account: shown?.headline.as === "text" ? shown.headline.text : "",
  decider: deciderName ?? "",
  expiresAt: row.expiresAt,
});

type DecideBarProps = {
  record: ApprovalRecord;
  denial: string | null;
  warnings: ReactNode;
  silentSince: string | null;
  failed: string | null;
};

export function DecideBar({ record, denial, warnings, silentSince, failed }: DecideBarProps) {
  const t = useTranslations("approvals");
  const router = useRouter();
  const [opened, setOpened] = useState<Opened>(null);
  const [done, setDone] = useState<ApprovalState | null>(null);
  const [delivered, setDelivered] = useState<Delivered | null>(null);
  const { state, isMine } = record.row;
  const { nextToDecide } = record;
  const isPending = approvalCan.decide(record.row)?.code !== "approval-ended";
  const mayDecide = isPending && denial === null;
  const mayWithdraw = approvalCan.withdraw(record.row) === null;
  const { next, previous } = neighboursOf(record);
  useFocusKept(state, opened !== null);
  useReadAgain(opened === "authorise" && state === "PENDING");
  const isNotDone = done !== null && NOT_DONE.includes(done);
  const said = done === null ? null : t(`done.${doneOf(record.row.kind, done)}`);

  const shortcuts = useMemo(() => {
    return {
      "?": () => setOpened("keys"),
      ...(next !== undefined && { j: () => router.push(`/approvals/${next}`) }),
      ...(previous !== undefined && { k: () => router.push(`/approvals/${previous}`) }),
      ...(mayDecide && { a: () => setOpened("authorise"), r: () => setOpened("refuse") }),
    };
  }, [mayDecide, next, previous, router]);
  useShortcuts(shortcuts);

  const dialog = {
    record,
    onClose: () => setOpened(null),
    onAnswered: (ended: ApprovalState | null, invitation?: Delivered) => {
      // After a failure the dialog stays open with the reason.
      if (ended !== null && ended !== "FAILED") setOpened(null);
      setDone(ended);
      setDelivered(invitation ?? null);
      router.refresh();
    },
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ShortcutButton onOpen={() => setOpened("keys")} />
      <Neighbour id={previous} label={t("previous")} isNext={false} />
      {isPending || nextToDecide === null ? (
        <Neighbour id={next} label={t("next")} isNext />
      ) : (
        <Link
          href={`/approvals/${nextToDecide}`}
          prefetch={false}
          aria-keyshortcuts="J"
          className={buttonClass("primary")}
        >
          {t("nextToDecide")}
        </Link>
      )}
      {mayWithdraw ? (
        <Button onClick={() => setOpened("withdraw")} onFocus={preload} onPointerEnter={preload}>
          {t("withdraw")}
        </Button>
      ) : null}
      {isPending ? <Decisions denial={denial} hasRefusal={!isMine} onIntent={preload} onOpen={setOpened} /> : null}
      {approvalCan.complete(record.row) === null ? (
        <CarryOut agreed={agreedIn(record)} onAnswered={dialog.onAnswered} />
      ) : null}
      {opened === "authorise" ? (
        <AuthoriseDialog {...dialog} {...{ warnings, silentSince, failed }} isReady={mayDecide} />
      ) : null}
      {opened === "refuse" ? <RefuseDialog {...dialog} isReady={mayDecide} /> : null}
      {opened === "withdraw" ? <WithdrawDialog {...dialog} isReady={mayWithdraw} /> : null}
      {delivered === null ? null : <LinkDialog delivered={delivered} onClose={() => setDelivered(null)} />}
      {opened === "keys" ? <ShortcutSheet of="approvals" onClose={() => setOpened(null)} /> : null}
      {isNotDone && opened === null ? (
        // Hidden once the page itself shows the result.
        <Notice tone="warning" live="assertive" className={state === done ? "sr-only" : "basis-full"}>
          {said}
        </Notice>
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{isNotDone ? null : said}</Confirmation>
    </div>
  );
}

type DecisionsProps = {
  denial: string | null;
  hasRefusal: boolean;
  onIntent: () => void;
  onOpen: (dialog: "authorise" | "refuse") => void;
};

function Decisions({ denial, hasRefusal, onIntent, onOpen }: DecisionsProps) {
  const t = useTranslations("approvals");
  if (denial !== null) {
    return (
      <>
        {hasRefusal ? (
          <DeniedButton reason={denial} className={buttonClass("plain")}>
            {t("refuse")}
          </DeniedButton>
        ) : null}
        <DeniedButton reason={denial} className={buttonClass("plain")}>
          {t("authorise")}
        </DeniedButton>
      </>
    );
  }
  return (
    <>
      <Button aria-keyshortcuts="R" onClick={() => onOpen("refuse")} onFocus={onIntent} onPointerEnter={onIntent}>
        {t("refuse")}
      </Button>
      <Button
        tone="primary"
        aria-keyshortcuts="A"
        onClick={() => onOpen("authorise")}
        onFocus={onIntent}
        onPointerEnter={onIntent}
      >
        {t("authorise")}
      </Button>
    </>
  );
}

function Neighbour({ id, label, isNext }: { id: string | undefined; label: string; isNext: boolean }) {
  if (id === undefined) return null;
  const icon = isNext ? "chevron-down" : "chevron-up";
  return (
    <Link
      href={`/approvals/${id}`}
      prefetch={false}
      aria-keyshortcuts={isNext ? "J" : "K"}
      className="flex h-8 items-center gap-1.5 rounded px-2 text-sm text-muted hover:bg-hover hover:text-ink"
    >
      <Icon of={icon} size={16} />
      <span className="wide:sr-only">{label}</span>
    </Link>
  );
}
