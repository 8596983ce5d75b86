"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { CopyButton } from "@/components/table/copy-button";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { Enrolment } from "@/lib/auth/view";
import { confirmEnrolment, type SignInOutcome } from "@/lib/auth/view";

type FirstCodeProps = { shown: Enrolment; onConfirmed: () => void; onExpired: () => void };

const SENTENCES = { wrong: "wrongCode", expired: "expired" } as const;

function ShownSecret({ shown: { secret, size, path } }: { shown: Enrolment }) {
  const t = useTranslations("factors");
  return (
    <div className="flex flex-wrap items-center gap-5">
      {/* Dark on white in both themes: cameras read nothing else reliably. */}
      <svg
        role="img"
        aria-label={t("qrLabel")}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="size-44 shrink-0 rounded-lg border border-line"
      >
        <rect width={size} height={size} fill="white" />
        <path d={path} fill="black" />
      </svg>
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

export function FirstCode({ shown, onConfirmed, onExpired }: FirstCodeProps) {
  const t = useTranslations("factors");
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<SignInOutcome["kind"] | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const confirm = async () => {
    setBusy(true);
    const { kind } = await confirmEnrolment(typed);
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
