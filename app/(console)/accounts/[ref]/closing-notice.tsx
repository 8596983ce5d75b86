"use client";

import { useTranslations, useLocale } from "next-intl";
import { useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";
import { giveFocusBack } from "@/components/ui/give-focus-back";
import Link from "next/link";
import { CarryOut } from "@/app/(console)/accounts/closure/execute";
import { EndOutcome } from "@/app/(console)/outcomes/end-outcome";
import { ProviderText, SealedText } from "@/components/layout/provider-text";
import { Notice } from "@/components/ui/notice";
import type { Closing } from "@/lib/accounts/view";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import { formatDateTime } from "@/lib/text/format";
import { CLOSING_NOTICE } from "./closing-place";

const loadDialog = () => import("./close-dialog");
const preload = () => void loadDialog();
const CloseDialog = deferred(() => loadDialog().then((loaded) => loaded.CloseDialog));

type CloseButtonProps = {
  accountRef: string;
  /** Why this person, or anybody, cannot start a closing now. */
  denial: string | null;
  /** False once a later decision about a closing exists. */
  isLast: boolean;
};

export function CloseButton({ accountRef, denial, isLast }: CloseButtonProps) {
  const t = useTranslations("closing");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [wasRefused, setRefused] = useState(false);
  const [done, setDone] = useState<"proposed" | "closed" | null>(null);
  const isBack = useRef(false);

  const close = () => {
    setOpen(false);
    isBack.current = wasRefused;
    // Refreshing earlier could remove this button together with its error.
    if (wasRefused) router.refresh();
    setRefused(false);
  };
  return (
    <>
      {denial === null ? (
        <OpenButton wasRefused={isBack} onOpen={() => setOpen(true)} />
      ) : (
        <DeniedButton reason={denial} className={buttonClass("plain")}>
          {t("open")}
        </DeniedButton>
      )}
      {isOpen ? (
        <CloseDialog
          accountRef={accountRef}
          onClose={close}
          onDone={(what) => {
            setOpen(false);
            setRefused(false);
            setDone(what);
            router.refresh();
          }}
          onRefused={() => setRefused(true)}
        />
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>
        {done === null || !isLast ? null : done === "closed" ? t("closed") : t("proposed")}
      </Confirmation>
    </>
  );
}

type OpenButtonProps = {
  /** True after a refusal, so that the page is refreshed when the dialog closes. */
  wasRefused: RefObject<boolean>;
  onOpen: () => void;
};

/** When this button disappears after a refusal, focus moves to the notice that replaces it. */
function OpenButton({ wasRefused, onOpen }: OpenButtonProps) {
  const t = useTranslations("closing");
  useEffect(
    () => () => {
      if (wasRefused.current && document.activeElement === document.body) {
        giveFocusBack(document.getElementById(CLOSING_NOTICE));
      }
    },
    [wasRefused],
  );
  return (
    <Button onClick={onOpen} onFocus={preload} onPointerEnter={preload}>
      {t("open")}
    </Button>
  );
}

const TONES = { PENDING: "info", READY: "info", AUTHORISED: "info", UNKNOWN: "warning", CLOSED: "info" } as const;

type ClosingNoticeProps = {
  closing: Closing | null;
  /** Branch and number. */
  account: string;
  /** Why this person may not settle the outcome. */
  denial: string | null;
  mayComplete: boolean;
};

/** The progress of a closing, whose turn it is, and that person's action. */
export function ClosingNotice({ closing, account, denial, mayComplete }: ClosingNoticeProps) {
  const t = useTranslations("closing");
  const router = useRouter();
  const [done, setDone] = useState<ApprovalState | null>(null);
  const answered = (state: ApprovalState | null) => {
    setDone(state);
    router.refresh();
  };
  const confirmed = confirmationOf(done, closing);
  const said = { closed: t("closed"), unconfirmed: t("unconfirmed"), underWay: t("underWay") };
  return (
    <>
      {closing === null ? null : (
        <div id={CLOSING_NOTICE} tabIndex={-1} className="px-5 pb-4 outline-none">
          <Notice tone={closing.state === "READY" && closing.isMine ? "warning" : TONES[closing.state]}>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <div className="min-w-64 flex-1 space-y-0.5">
                <Standing closing={closing} />
              </div>
              <SeeApproval closing={closing} />
              {closing.state === "UNKNOWN" ? (
                <EndOutcome intentId={closing.intentId} needsApproval denial={denial} />
              ) : null}
              {mayComplete && "isMine" in closing ? (
                <CarryOut agreed={{ ...closing, account, decider: closing.decider ?? "" }} onAnswered={answered} />
              ) : null}
            </div>
          </Notice>
        </div>
      )}
      <Confirmation tone={confirmed === "closed" ? "done" : "hint"} onDismiss={() => setDone(null)}>
        {confirmed === null ? null : said[confirmed]}
      </Confirmation>
    </>
  );
}

/** The result of an action on this page, until the closing changes again. */
function confirmationOf(done: ApprovalState | null, closing: Closing | null) {
  if (done === "EXECUTED" && closing?.state === "CLOSED") return "closed";
  if (done === "UNKNOWN" && closing?.state === "UNKNOWN") return "unconfirmed";
  return done === "AUTHORISED" && closing?.state === "AUTHORISED" ? "underWay" : null;
}

function SeeApproval({ closing: { approvalId } }: { closing: Closing }) {
  const t = useTranslations("closing");
  if (approvalId === null) return null;
  return (
    <Link href={`/approvals/${approvalId}`} prefetch={false} className="font-medium text-accent hover:underline">
      {t("seeProposal")}
    </Link>
  );
}

function Standing({ closing }: { closing: Closing }) {
  const t = useTranslations("closing");
  const say = useTranslations("common");
  const locale = useLocale();
  const when = (iso: string) => formatDateTime(iso, locale);
  const { maker } = closing;
  if (closing.state === "UNKNOWN") {
    const { at, seenOpenAt, word } = closing;
    return (
      <>
        <p>{t(word === null ? "notice.UNKNOWN" : "notice.ACCEPTED", { maker, time: when(at) })}</p>
        {word === null ? null : (
          <p>
            {say("providerSays")} <ProviderText text={word} />
          </p>
        )}
        {seenOpenAt === null ? null : <p>{t("notice.lookedAt", { time: when(seenOpenAt) })}</p>}
      </>
    );
  }
  if (closing.state === "CLOSED") {
    const { at, decider, reason } = closing;
    return (
      <>
        <p>
          {t("notice.CLOSED", { maker, time: when(at) })}{" "}
          {decider === null ? null : t("notice.authorisedBy", { name: decider })}
        </p>
        <p className="whitespace-pre-line">
          <span className="text-muted">{t("notice.reason")}</span> <SealedText text={reason} />
        </p>
      </>
    );
  }
  const values = { maker, name: closing.decider ?? "", time: when(closing.expiresAt) };
  const isMineToEnd = closing.state === "READY" && closing.isMine;
  return <p>{isMineToEnd ? t("notice.READY_MINE", values) : t(`notice.${closing.state}`, values)}</p>;
}
