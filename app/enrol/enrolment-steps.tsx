"use client";

import { type ReactNode, useMemo, type FormEvent, useEffect, useRef, useState } from "react";
import { createUnsaved, ScopeContext } from "@/components/session/scope";
import { startRequiredEnrolment, renewRecoveryCodes } from "@/lib/security/actions";
import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/table/copy-button";
import { copyText } from "@/components/ui/copy-text";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { confirmPasskey } from "@/lib/security/passkey-browser";
import type { Enrolment, SignInResult } from "@/lib/auth/view";
import { Icon } from "@/components/ui/icons";
import { saveFile } from "@/components/layout/save-file";
import { FailureText } from "@/components/layout/failure-text";
import { QrCode } from "@/components/layout/qr-code";
import { useAction } from "@/components/session/use-action";
import type { Action } from "@/lib/action";

/** Ends with a whole page load. */
export const RequiredEnrolment = ({ leadsTo }: { leadsTo: string }) => (
  <EnrolmentSteps start={startRequiredEnrolment} onDone={() => window.location.assign(leadsTo)} />
);

const nothing = () => undefined;
const findWhere = async () => "unknown" as const;

export function EnrolPanel({ id, children }: { id: string; children: ReactNode }) {
  const hold = useMemo(
    () => ({
      id,
      revalidate: nothing,
      findWhere,
      refresh: nothing,
      announce: nothing,
      announceEnd: nothing,
      unsaved: createUnsaved(),
      returns: 0,
    }),
    [id],
  );
  return <ScopeContext value={hold}>{children}</ScopeContext>;
}

type FirstCodeProps = { shown: Enrolment; onConfirmed: () => void; onExpired: () => void };

const SENTENCES = { wrong: "wrongCode", expired: "expired" } as const;

function ShownSecret({ shown: { secret, ...drawing } }: { shown: Enrolment }) {
  const t = useTranslations("factors");
  return (
    <div className="flex flex-wrap items-center gap-5">
      <QrCode drawing={drawing} label={t("qrLabel")} className="size-44 shrink-0 rounded-lg" />
      <div className="min-w-0 flex-1 basis-40 text-sm">
        <p className="text-muted">{t("cannotScan")}</p>
        <p className="mt-2 flex items-start gap-1">
          <span data-secret className="font-mono text-base leading-6 wrap-anywhere">
            {secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
          </span>
          <CopyButton text={secret} label={t("copySecret")} />
        </p>
      </div>
    </div>
  );
}

function FirstCode({ shown, onConfirmed, onExpired }: FirstCodeProps) {
  const t = useTranslations("factors");
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<SignInResult["kind"] | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const confirm = async () => {
    setBusy(true);
    const { kind } = await confirmPasskey(typed);
    setBusy(false);
    if (kind === "done") return onConfirmed();
    setOutcome(kind);
    setTyped("");
    input.current?.focus();
    if (kind === "expired") onExpired();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) void confirm();
  };

  return (
    <form method="post" onSubmit={submit} className="space-y-5">
      <ShownSecret shown={shown} />
      <TextField
        ref={input}
        label={t("firstCode")}
        hint={t("firstCodeHint")}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        maxLength={16}
        spellCheck={false}
        className="font-mono text-lg tracking-[0.25em]"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div role="alert" className="empty:hidden">
        {outcome === null ? null : (
          <Notice tone="negative">
            {t(outcome === "wrong" || outcome === "expired" ? SENTENCES[outcome] : "failed")}
          </Notice>
        )}
      </div>
      <Button type="submit" tone="primary" size="large" isBusy={isBusy} className="w-full">
        {isBusy ? t("checking") : t("confirm")}
      </Button>
    </form>
  );
}

const FILE = "retaguarda-recovery-codes.txt";

type RecoveryCodesProps = {
  codes: readonly string[];
  leavings?: number;
  onSaved: () => void;
};

/** Shown once. */
export function RecoveryCodes({ codes, leavings = 0, onSaved }: RecoveryCodesProps) {
  const t = useTranslations("factors");
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (leavings > 0) box.current?.focus();
  }, [leavings]);
  const [isStored, setStored] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const text = `${t("codesTitle")}\n\n${codes.join("\n")}\n`;
  const copy = async () => {
    setCopied(await copyText(text));
  };
  return (
    <div className="space-y-5">
      <Notice tone="warning" live="polite">
        {t("codesLead")}
      </Notice>
      <section data-printed aria-label={t("codesTitle")} className="rounded-lg border border-line bg-canvas p-4">
        <h2 className="mb-3 font-medium">{t("codesTitle")}</h2>
        <ul className="grid grid-cols-1 gap-x-6 gap-y-1 font-mono text-base medium:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </section>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => void copy()}>
          <Icon of="copy" size={13} />
          {isCopied ? t("codesCopied") : t("copyCodes")}
        </Button>
        <Button size="small" onClick={() => saveFile(FILE, new Blob([text], { type: "text/plain" }))}>
          <Icon of="download" size={13} />
          {t("saveCodes")}
        </Button>
        <Button size="small" onClick={() => window.print()}>
          <Icon of="printer" size={13} />
          {t("printCodes")}
        </Button>
      </div>
      <label className="flex items-start gap-2.5 text-sm">
        <input
          ref={box}
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={isStored}
          onChange={(event) => setStored(event.target.checked)}
        />
        {t("kept")}
      </label>
      <div role="alert" className="empty:hidden">
        {leavings > 0 && !isStored ? <Notice tone="negative">{t("keepFirst")}</Notice> : null}
      </div>
      <Button
        tone="primary"
        size="large"
        className="w-full"
        aria-disabled={!isStored}
        title={isStored ? undefined : t("keepFirst")}
        onClick={() => isStored && onSaved()}
      >
        {t("goOn")}
      </Button>
    </div>
  );
}

type EnrolmentStepsProps = {
  start: Action<null, Enrolment>;
  leavings?: number;
  onCodes?: () => void;
  onDone: () => void;
};

export function EnrolmentSteps({ start, leavings = 0, onCodes, onDone }: EnrolmentStepsProps) {
  const t = useTranslations("factors");
  const [shown, setShown] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isConfirmed, setConfirmed] = useState(false);
  const beginning = useAction(start);
  const making = useAction(renewRecoveryCodes);
  const failure = beginning.failure ?? making.failure;

  const begin = () => beginning.run(null, setShown);
  const make = () =>
    making.run(null, (made) => {
      setCodes(made);
      onCodes?.();
    });
  const confirm = () => {
    setConfirmed(true);
    make();
  };

  const step = () => {
    if (codes !== null) return <RecoveryCodes codes={codes} leavings={leavings} onSaved={onDone} />;
    if (isConfirmed) {
      return (
        <Button tone="primary" size="large" className="w-full" isBusy={making.pending} onClick={make}>
          {making.pending ? t("makingCodes") : t("makeCodes")}
        </Button>
      );
    }
    if (shown !== null) return <FirstCode shown={shown} onConfirmed={confirm} onExpired={() => setShown(null)} />;
    return (
      <>
        <ol className="list-decimal space-y-2 ps-5 text-sm text-muted marker:text-faint">
          <li>{t("stepApp")}</li>
          <li>{t("stepScan")}</li>
          <li>{t("stepCodes")}</li>
        </ol>
        <Button tone="primary" size="large" className="w-full" isBusy={beginning.pending} onClick={begin}>
          {t("begin")}
        </Button>
      </>
    );
  };

  return (
    <div className="space-y-5">
      {step()}
      <div role="alert" className="empty:hidden">
        {failure === null ? null : (
          <Notice tone="negative">
            <FailureText failure={failure} />
          </Notice>
        )}
      </div>
    </div>
  );
}
