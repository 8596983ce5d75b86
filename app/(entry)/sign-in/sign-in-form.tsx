"use client";

import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { signInByCode, signInByPasskey, signIn, singleSignOnAddress } from "@/lib/security/passkey-browser";
import type { SignInResult } from "@/lib/auth/view";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { isTypedInto } from "@/components/ui/keys";
import { askPasskeyAtStep } from "@/lib/security/actions";
import { useEntry } from "./use-entry";
import Link from "next/link";
import type { DemoSignIn } from "@/lib/staff/queries";
import { Icon } from "@/components/ui/icons";

/** `wrong`: the sentence for a wrong entry. */
export function OutcomeNotice({ outcome, wrong }: { outcome: SignInResult | null; wrong: string }) {
  const t = useTranslations("signIn");
  const say = () => {
    if (outcome === null) return null;
    switch (outcome.kind) {
      case "done":
      case "second-step":
      case "passkey-step":
        return null;
      case "wrong":
        return wrong;
      case "wait":
        return outcome.seconds > 90
          ? t("waitMinutes", { minutes: Math.ceil(outcome.seconds / 60) })
          : t("wait", { seconds: outcome.seconds });
      case "passkey-unanswered":
        return t("passkeyUnanswered");
      case "passkey-refused":
        return t("passkeyRefused");
      case "expired":
        return t("expired");
      case "failed":
        return t("failed");
    }
  };
  const sentence = say();
  return <div role="alert">{sentence === null ? null : <Notice tone="negative">{sentence}</Notice>}</div>;
}

/** The target of a form sent before its script loads. */
const WITHOUT_SCRIPT = { method: "post", action: "/api/auth/callback/credentials" } as const;

type Led = { outcome: SignInResult | null; next: string | undefined };

const Next = ({ next }: Pick<Led, "next">) =>
  next === undefined ? null : <input type="hidden" name="next" value={next} />;

type CodeFormProps = { led: Led; hasPasskey: boolean; onExpired: () => void; onBack: () => void };

export function CodeForm({ led, hasPasskey, onExpired, onBack }: CodeFormProps) {
  const t = useTranslations("signIn");
  const [typed, setTyped] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const { outcome, isBusy, enter, clear } = useEntry(led.outcome);
  const input = useRef<HTMLInputElement>(null);

  // The focused field of the previous step is gone.
  useEffect(() => input.current?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter(
      () => signInByCode(typed),
      ({ kind }) => {
        if (kind === "expired") onExpired();
        else setTyped("");
      },
    );
  };
  const usePasskey = () =>
    void enter(
      () => signInByPasskey(askPasskeyAtStep),
      ({ kind }) => kind === "expired" && onExpired(),
    );
  const change = () => {
    setRecovery(!isRecovery);
    setTyped("");
    clear();
    input.current?.focus();
  };

  const field = isRecovery
    ? { label: t("recoveryCode"), hint: t("recoveryHint"), autoComplete: "off", autoCapitalize: "off" }
    : { label: t("code"), hint: t("codeHint"), autoComplete: "one-time-code", inputMode: "numeric" as const };

  return (
    <form {...WITHOUT_SCRIPT} onSubmit={submit} className="space-y-4">
      <Next next={led.next} />
      <TextField
        {...field}
        name="code"
        required
        ref={input}
        spellCheck={false}
        maxLength={32}
        className={isRecovery ? "font-mono" : "font-mono text-lg tracking-[0.25em]"}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <OutcomeNotice outcome={outcome} wrong={t("wrongCode")} />
      <Button type="submit" tone="primary" size="large" isBusy={isBusy} className="w-full">
        {isBusy ? t("submitting") : t("confirmCode")}
      </Button>
      {hasPasskey ? (
        <Button size="large" className="w-full" onClick={usePasskey}>
          {t("usePasskey")}
        </Button>
      ) : null}
      <div className="flex flex-wrap justify-between gap-2">
        <Button tone="quiet" size="small" onClick={change}>
          {isRecovery ? t("useApp") : t("useRecovery")}
        </Button>
        <Button tone="quiet" size="small" onClick={onBack}>
          {t("back")}
        </Button>
      </div>
    </form>
  );
}

type DemoPanelProps = { people: DemoSignIn[]; onChoose: (person: DemoSignIn) => void };

function DemoPanel({ people, onChoose }: DemoPanelProps) {
  const t = useTranslations();
  return (
    <section aria-labelledby="demo" className="mt-7 rounded border border-line bg-canvas p-3.5">
      <h2 id="demo" className="text-sm font-medium">
        {t("signIn.demoTitle")}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t("signIn.demoLead")}</p>
      <div className="mt-3 grid grid-cols-2 gap-1.5 medium:grid-cols-3">
        {people.map((person) => {
          const role = t(`roles.${person.role}`);
          const shown = person.isSecond ? t("signIn.second", { role }) : role;
          return (
            <Button
              key={person.email}
              size="small"
              aria-label={t("signIn.fill", { role: shown })}
              onClick={() => onChoose(person)}
            >
              {shown}
            </Button>
          );
        })}
      </div>
    </section>
  );
}

type PasswordFormProps = {
  led: Led;
  demo: DemoSignIn[];
  email: string;
  notice: string | null;
  onSecondStep: (hasPasskey: boolean) => void;
};

/** Both stay as typed after an error. `notice`: why the person must sign in again. */
export function PasswordForm({ led, demo, email, notice, onSecondStep }: PasswordFormProps) {
  const t = useTranslations("signIn");
  const submitButton = useRef<HTMLButtonElement>(null);
  const address = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState({ email, password: "" });
  const { outcome, isBusy, enter, clear } = useEntry(led.outcome);

  useEffect(() => {
    const focused = document.activeElement;
    // A cover's title keeps the keys of somebody who was typing.
    const isKept = isTypedInto(focused) || focused?.matches("h2") === true;
    if (email !== "" && !isKept) password.current?.focus();
    if (email === "" && focused === document.body) address.current?.focus();
  }, [email]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter(
      () => signIn(typed.email, typed.password),
      ({ kind }) => {
        if (kind === "second-step" || kind === "passkey-step") onSecondStep(kind === "passkey-step");
      },
    );
  };

  return (
    <>
      <form {...WITHOUT_SCRIPT} onSubmit={submit} className="space-y-4">
        <Next next={led.next} />
        <TextField
          ref={address}
          label={t("email")}
          type="text"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          name="email"
          autoComplete="username"
          required
          value={typed.email}
          onChange={({ target }) => setTyped((before) => ({ ...before, email: target.value }))}
        />
        <TextField
          ref={password}
          label={t("password")}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={typed.password}
          onChange={({ target }) => setTyped((before) => ({ ...before, password: target.value }))}
        />
        <OutcomeNotice outcome={outcome} wrong={t("wrong")} />
        {outcome === null && notice !== null ? <Notice tone="warning">{notice}</Notice> : null}
        <Button ref={submitButton} type="submit" tone="primary" size="large" isBusy={isBusy} className="w-full">
          {isBusy ? t("submitting") : t("submit")}
        </Button>
        <p className="text-center text-sm">
          <Link
            href="/password"
            prefetch={false}
            // A covered tab holds unsaved text, so links open another tab.
            {...(email !== "" && { target: "_blank", rel: "noopener" })}
            className="text-accent hover:underline"
          >
            {t("forgotten")}
          </Link>
        </p>
      </form>
      {demo.length > 0 ? (
        <DemoPanel
          people={demo}
          onChoose={(person) => {
            setTyped({ email: person.email, password: person.password });
            clear();
            submitButton.current?.focus();
          }}
        />
      ) : null}
    </>
  );
}

type SingleSignOnButtonProps = {
  /** This tab holds unsaved text, so the sign-in opens another tab. */
  isTabKept: boolean;
};

export function SingleSignOnButton({ isTabKept }: SingleSignOnButtonProps) {
  const t = useTranslations("signIn");
  const [state, setState] = useState<"idle" | "leaving" | "unreachable">("idle");
  const leave = async () => {
    if (state === "leaving") return;
    setState("leaving");
    // Opened in the click itself, or the browser blocks it as a pop-up.
    const other = isTabKept ? window.open("about:blank", "_blank") : null;
    if (other !== null) other.opener = null;
    const address = await singleSignOnAddress();
    if (address === null) {
      other?.close();
      return setState("unreachable");
    }
    (other ?? window).location.assign(address);
    if (other !== null) setState("idle");
  };
  return (
    <div className="mb-5">
      <Button size="large" isBusy={state === "leaving"} className="w-full" onClick={() => void leave()}>
        <Icon of="building-2" size={16} />
        {t("singleSignOn")}
      </Button>
      {isTabKept ? <p className="mt-1.5 text-sm text-muted">{t("singleSignOnKeeps")}</p> : null}
      <div role="alert" className="mt-3 empty:hidden">
        {state === "unreachable" ? <Notice tone="negative">{t("sso-failed")}</Notice> : null}
      </div>
      <p className="mt-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </p>
    </div>
  );
}

type SignInFormProps = {
  demo: DemoSignIn[];
  /** The first step is done: a reload does not ask for the password again. */
  secondStep: "code" | "passkey" | null;
  hasSingleSignOn: boolean;
  notice: string | null;
  outcome?: SignInResult | null;
  next?: string | undefined;
  again?: string;
};

export function SignInForm(props: SignInFormProps) {
  const { demo, secondStep, hasSingleSignOn, notice, outcome = null, next, again } = props;
  const t = useTranslations("signIn");
  const [step, setStep] = useState<"password" | "code" | "passkey" | "expired">(secondStep ?? "password");
  const isSecond = step === "code" || step === "passkey";
  const led = { next, outcome: isSecond === (secondStep !== null) ? outcome : null };
  return (
    <>
      {again === undefined ? (
        <h1 className="mb-5 text-xl font-semibold">{isSecond ? t("codeTitle") : t("title")}</h1>
      ) : null}
      {isSecond ? (
        <CodeForm
          led={led}
          hasPasskey={step === "passkey"}
          onExpired={() => setStep("expired")}
          onBack={() => setStep("password")}
        />
      ) : (
        <>
          {hasSingleSignOn ? <SingleSignOnButton isTabKept={again !== undefined} /> : null}
          <PasswordForm
            led={led}
            demo={demo}
            email={again ?? ""}
            notice={step === "expired" ? t("expired") : notice}
            onSecondStep={(hasPasskey) => setStep(hasPasskey ? "passkey" : "code")}
          />
        </>
      )}
    </>
  );
}
