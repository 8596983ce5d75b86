"use client";

import { heedDigits } from "@/app/(console)/kyc/digit-ahead";
import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { Decision } from "@/app/(console)/kyc/use-deciding";
import { useAction } from "@/components/session/use-action";
import { Confirmation, type Tone } from "@/components/layout/confirmation";
import { useStaffId } from "@/components/session/scope";
import { Button, buttonClass } from "@/components/ui/button";
import { ShortcutSheet } from "@/app/(console)/shell/list-keys";
import { useShortcutSetting } from "@/app/(console)/shell/shortcut-setting";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";
import type { Failure, Holder } from "@/lib/errors/result";
import { newIntentId } from "@/lib/text/intent";
import { claimCase, releaseCase, takeNextCase } from "@/lib/kyc/actions";
import type { KycRow } from "@/lib/kyc/queries";
import { holdKeys, releaseKeys } from "./use-keys";

export const NEXT_BUTTON_ID = "next-case";

export type Say = (sentence: string, tone?: Tone) => void;

type Next = {
  take: () => void;
  isPending: boolean;
};

function useNext(say: Say): Next {
  const t = useTranslations("triage.next");
  const router = useRouter();
  const { pending, run } = useAction(takeNextCase);
  // Kept until an answer comes, so a repeat claims no second case.
  const [attemptId, setAttemptId] = useState(newIntentId);
  const take = () => {
    holdKeys();
    run(
      { attemptId },
      (next) => {
        setAttemptId(newIntentId());
        if (next.kycUUID === null) {
          releaseKeys();
          say(t("none", { own: next.ownWaiting, read: next.isListRead ? "yes" : "no" }), "hint");
          return;
        }
        const address = `/kyc/${encodeURIComponent(next.kycUUID)}`;
        // The same case stays visible, so its keys are released.
        if (address === location.pathname) releaseKeys();
        router.push(address);
      },
      (failed) => {
        releaseKeys();
        say(failed.message, "failure");
      },
    );
  };
  return { take, isPending: pending };
}

type NextButtonProps = { next: Next; denial: string | null; isPrimary?: boolean };

export function NextButton({ next, denial, isPrimary = false }: NextButtonProps): ReactNode {
  const t = useTranslations("triage.next");
  const label = (
    <>
      {t("label")}
      <Icon of="arrow-right" size={14} />
    </>
  );
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain")}>
        {label}
      </DeniedButton>
    );
  }
  return (
    <Button
      id={NEXT_BUTTON_ID}
      tone={isPrimary ? "primary" : "plain"}
      isBusy={next.isPending}
      onClick={next.take}
      aria-keyshortcuts="n"
    >
      {label}
    </Button>
  );
}

type ShortcutHintProps = { isOpen: boolean; onOpen: () => void; onClose: () => void };

function ShortcutHint({ isOpen, onOpen, onClose }: ShortcutHintProps) {
  const t = useTranslations("triage.keys");
  const { isOn } = useShortcutSetting();
  return (
    <>
      <button
        type="button"
        onClick={onOpen}
        aria-keyshortcuts="?"
        className="h-7 shrink-0 rounded px-1.5 text-sm text-muted hover:bg-hover hover:text-ink max-wide:hidden"
      >
        {isOn ? t("hint") : t("hintOff")}
      </button>
      {isOpen ? <ShortcutSheet of="cases" onClose={onClose} /> : null}
    </>
  );
}

const loadDialog = () => import("./take-over-dialog");
const TakeOverDialog = deferred(() => loadDialog().then((loaded) => loaded.TakeOverDialog));

type GoOn = (claimed: KycRow) => void;
type TakingOver = { subject: KycRow; from: Holder; goOn: GoOn };

type Claiming = {
  claim: (subject: KycRow, goOn: GoOn) => void;
  isPending: boolean;
  dialog: ReactNode;
};

const holderOf = ({ assignee, assignedAt }: KycRow): Holder | null =>
  assignee === null ? null : { ...assignee, since: assignedAt ?? "" };

function useClaiming(say: Say): Claiming {
  const t = useTranslations("triage");
  const me = useStaffId();
  const { pending, failure, run } = useAction(claimCase);
  const [takingOver, setTakingOver] = useState<TakingOver | null>(null);

  const refused = (subject: KycRow, goOn: GoOn) => (failed: Failure) => {
    // Somebody was quicker: offer to take the case over.
    if (failed.holder) setTakingOver({ subject, from: failed.holder, goOn });
    else say(failed.message, "failure");
  };

  const take = (subject: KycRow, takeFrom: string | null, goOn: GoOn) => {
    run(
      { kycUUID: subject.kycUUID, takeFrom },
      ({ assignedAt }) => {
        setTakingOver(null);
        goOn({ ...subject, assignee: { id: me, name: t("you") }, assignedAt });
      },
      refused(subject, goOn),
    );
  };

  const claim = (subject: KycRow, goOn: GoOn) => {
    const holder = holderOf(subject);
    if (holder?.id === me) goOn(subject);
    else if (holder === null) take(subject, null, goOn);
    else setTakingOver({ subject, from: holder, goOn });
  };

  return {
    claim,
    isPending: pending,
    dialog:
      takingOver === null ? null : (
        <TakeOverDialog
          key={takingOver.from.id}
          document={takingOver.subject.vatNumber}
          from={takingOver.from}
          pending={pending}
          failure={failure?.holder?.id === takingOver.from.id ? null : failure}
          onAgree={() => take(takingOver.subject, takingOver.from.id, takingOver.goOn)}
          onClose={() => setTakingOver(null)}
        />
      ),
  };
}

export const loadDecisionDialog = () => import("@/app/(console)/kyc/decision-dialog");
const DecisionDialog = deferred(() => loadDecisionDialog().then((loaded) => loaded.DecisionDialog));

type DecisionRequest = { subject: KycRow; decision: Decision | null };

type Deciding = {
  begin: (subject: KycRow, decision?: Decision | null) => void;
  dialog: ReactNode;
};

type DecidingOptions = {
  onDone: (confirmation: string, subject: KycRow) => void;
  onClose?: () => void;
};

function useDecision({ onDone, onClose }: DecidingOptions): Deciding {
  const [wish, setWish] = useState<DecisionRequest | null>(null);
  return {
    begin: (subject, decision = null) => {
      heedDigits();
      setWish({ subject, decision });
    },
    dialog:
      wish === null ? null : (
        <DecisionDialog
          key={wish.subject.kycUUID}
          subject={wish.subject}
          {...(wish.decision !== null && { initialDecision: wish.decision })}
          onClose={() => {
            setWish(null);
            onClose?.();
          }}
          onDone={(confirmation) => {
            setWish(null);
            onDone(confirmation, wish.subject);
          }}
        />
      ),
  };
}

type Handing = {
  toggle: (subject: KycRow) => void;
  release: (subject: KycRow) => void;
  isPending: boolean;
};

type HandingOptions = {
  claiming: Pick<Claiming, "claim" | "isPending">;
  say: Say;
  onChanged: () => void;
};

function useHanding({ claiming, say, onChanged }: HandingOptions): Handing {
  const t = useTranslations("triage");
  const me = useStaffId();
  const releasing = useAction(releaseCase);
  const release = ({ kycUUID, vatNumber }: KycRow) =>
    releasing.run(
      { kycUUID },
      () => {
        say(t("released", { document: vatNumber }));
        onChanged();
      },
      (failed) => say(failed.message, "failure"),
    );
  const claim = (subject: KycRow) =>
    claiming.claim(subject, ({ vatNumber }) => {
      say(t("claimed", { document: vatNumber }));
      onChanged();
    });
  return {
    toggle: (subject) => (subject.assignee?.id === me ? release(subject) : claim(subject)),
    release,
    isPending: claiming.isPending || releasing.pending,
  };
}

type Options = {
  onBegin?: () => void;
  onDecided: (subject: KycRow) => void;
  onChanged: () => void;
};

export type Triage = {
  begin: Deciding["begin"];
  handing: Handing;
  next: Next;
  say: Say;
  showHelp: () => void;
  hint: ReactNode;
  overlays: ReactNode;
};

export function useTriage({ onBegin, onDecided, onChanged }: Options): Triage {
  const [said, setSaid] = useState<{ sentence: string; tone: Tone } | null>(null);
  const say: Say = (sentence, tone = "done") => setSaid({ sentence, tone });
  const [isHelpOpen, setHelpOpen] = useState(false);
  const deciding = useDecision({
    onDone: (confirmation, subject) => {
      say(confirmation);
      onDecided(subject);
    },
    // The case may have been claimed although no decision was sent.
    onClose: onChanged,
  });
  const claiming = useClaiming(say);
  const handing = useHanding({ claiming, say, onChanged });
  const next = useNext(say);
  return {
    begin: (...wish) => {
      onBegin?.();
      deciding.begin(...wish);
    },
    handing,
    next,
    say,
    showHelp: () => setHelpOpen(true),
    hint: <ShortcutHint isOpen={isHelpOpen} onOpen={() => setHelpOpen(true)} onClose={() => setHelpOpen(false)} />,
    overlays: (
      <>
        {deciding.dialog}
        {claiming.dialog}
        <Confirmation tone={said?.tone ?? "done"} onDismiss={() => setSaid(null)}>
          {said?.sentence}
        </Confirmation>
      </>
    ),
  };
}
