"use client";

import { type ReactNode, useState, useCallback, useEffect, useRef } from "react";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/errors/result";
import { useTranslations } from "next-intl";
import { TextField } from "@/components/ui/field";
import type { Accepted } from "@/lib/staff/inputs";
import type { Action } from "@/lib/action";

type FormEndProps = {
  /** Field errors are not repeated here. */
  failure: Failure | null;
  refusal?: string | null;
  isBusy: boolean;
  children: ReactNode;
};

export function FormEnd({ failure, refusal = null, isBusy, children }: FormEndProps) {
  const said = failure && failure.kind !== "invalid" ? <FailureText failure={failure} /> : refusal;
  return (
    <>
      <div role="alert">{said === null ? null : <Notice tone="negative">{said}</Notice>}</div>
      <Button type="submit" tone="primary" size="large" isBusy={isBusy} className="w-full">
        {children}
      </Button>
    </>
  );
}

type NewPasswordFieldProps = {
  label: string;
  value: string;
  fault: Accepted["fault"];
  error: string | undefined;
  onChange: (password: string) => void;
};

export function NewPasswordField({ label, value, fault, error, onChange }: NewPasswordFieldProps) {
  const t = useTranslations("invite");
  const [isShown, setShown] = useState(false);
  return (
    <>
      <TextField
        label={label}
        hint={t("passwordHint")}
        type={isShown ? "text" : "password"}
        name="password"
        autoComplete="new-password"
        value={value}
        error={fault === null ? error : t(`faults.${fault}`)}
        onChange={(event) => onChange(event.target.value)}
      />
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={isShown}
          onChange={(event) => setShown(event.target.checked)}
          className="size-3.5 accent-accent"
        />
        {t("show")}
      </label>
    </>
  );
}

/** Empty without a token. Runs for another link in the same tab, too. */
function useCarriedToken(onCarried: (token: string) => void): void {
  const held = useRef("");
  useEffect(() => {
    const take = () => {
      const carried = window.location.hash.slice(1);
      if (carried !== "") {
        held.current = carried;
        // Removes the token from the browser's history.
        window.history.replaceState(window.history.state, "", window.location.pathname);
      }
      onCarried(held.current);
    };
    take();
    // Another link in the same tab changes only the fragment.
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, [onCarried]);
}

/** `bare`: no token. */
type LinkState<View> =
  | { step: "opening" }
  | { step: "bare" }
  | { step: "gone" }
  | { step: "failed" }
  | { step: "open"; view: View; token: string };

type LinkOpening<View> = Action<{ token: string }, View>;

const NO_SCOPE = "";

async function readLink<View>(open: LinkOpening<View>, token: string): Promise<LinkState<View>> {
  if (token === "") return { step: "bare" };
  const answer = await open({ token }, NO_SCOPE).catch(() => null);
  if (answer === null) return { step: "failed" };
  if (answer.ok) return { step: "open", view: answer.data, token };
  const { kind } = answer.error;
  return { step: kind === "not-found" || kind === "invalid" ? "gone" : "failed" };
}

type Link<View> = { standing: LinkState<View>; reopen: () => void; leave: () => void };

export function useLink<View>(open: LinkOpening<View>): Link<View> {
  const [standing, setStanding] = useState<LinkState<View>>({ step: "opening" });
  const token = useRef("");
  const reopen = useCallback(() => void readLink(open, token.current).then(setStanding), [open]);
  const take = useCallback(
    (carried: string) => {
      token.current = carried;
      reopen();
    },
    [reopen],
  );
  useCarriedToken(take);
  return { standing, reopen, leave: () => setStanding({ step: "bare" }) };
}

type StageProps = { title: string; lead: string; children?: ReactNode };

export function Stage({ title, lead, children }: StageProps) {
  return (
    <>
      <Heading key={title} title={title} />
      <p className="mt-1.5 mb-6 text-muted wrap-anywhere">{lead}</p>
      {children}
    </>
  );
}

/** Moves the screen reader to each step's title. */
function Heading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold wrap-anywhere outline-none">
      {title}
    </h1>
  );
}
