import { useTranslations } from "next-intl";
import { FormSection } from "@/components/form/fields";
import type { Fields } from "@/components/form/draft-saver";
import { FORM_STEPS, type FormStep } from "@/lib/onboarding/view";
import type { OnboardingKind } from "@/lib/db/enums/onboarding";
import { TextLine } from "./bound-fields";
import { Icon } from "@/components/ui/icons";
import { cn } from "@/components/ui/cn";

const LINKS = {
  PF: ["documentLink", "documentBackLink", "selfieLink"],
  PJ: ["documentLink", "documentBackLink", "selfieLink", "socialContractLink"],
} as const satisfies Record<OnboardingKind, readonly string[]>;

/** Null for a URL that may not be sent. */
export function addressIn(typed: string): URL | null {
  if (!URL.canParse(typed.trim())) return null;
  const address = new URL(typed.trim());
  const { protocol, host, username, password } = address;
  return protocol === "https:" && host !== "" && username === "" && password === "" ? address : null;
}

export const hostOf = (typed: string): string | null => addressIn(typed)?.host ?? null;

/** Opened only by the person: the server never fetches a typed URL. */
function OpenLink({ typed, label }: { typed: string; label: string }) {
  const t = useTranslations("accountForm");
  const address = addressIn(typed);
  if (address === null) return null;
  return (
    <a
      href={address.href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t("openLinkNamed", { name: label, host: address.host })}
      className="mt-1 inline-flex items-center gap-1 text-sm text-accent hover:underline"
    >
      {t("openLink")}
      <Icon of="arrow-up-right" size={13} />
    </a>
  );
}

/** URLs, since the interface takes no files. */
export function DocumentsStep({ kind, fields }: { kind: OnboardingKind; fields: Fields }) {
  const t = useTranslations("accountForm");
  return (
    <FormSection title={t("documentsTitle")} lead={t("documentsLead")}>
      {LINKS[kind].map((link) => {
        const name = `bankDocuments.${link}`;
        const host = hostOf(fields.value(name));
        return (
          <div key={link}>
            <TextLine
              fields={fields}
              name={name}
              label={t("linkTo", { document: t(link) })}
              type="url"
              placeholder={t("linkExample")}
              hint={host === null ? t("linkHint") : t("linkHost", { host })}
            />
            <OpenLink typed={fields.value(name)} label={t(link)} />
          </div>
        );
      })}
    </FormSection>
  );
}

export function useStepName(kind: OnboardingKind): (step: FormStep) => string {
  const t = useTranslations("accountForm");
  return (step) => (step === "who" || step === "contact" ? t(`steps.${step}.${kind}`) : t(`steps.${step}`));
}

type ProgressProps = {
  kind: OnboardingKind;
  current: FormStep;
  wrong: ReadonlySet<FormStep>;
  onGo: (step: FormStep) => void;
};

export function Progress({ kind, current, wrong, onGo }: ProgressProps) {
  const t = useTranslations("accountForm");
  const nameOf = useStepName(kind);
  const steps: readonly FormStep[] = FORM_STEPS[kind];
  const at = steps.indexOf(current);
  return (
    <nav aria-label={t("progress")} className="border-b border-line px-5 py-3">
      <p className="mb-1.5 text-sm text-muted medium:hidden">
        {t("stepOf", { number: at + 1, count: steps.length })} · {nameOf(current)}
      </p>
      <ol className="flex flex-wrap gap-x-5 gap-y-2">
        {steps.map((step, index) => {
          const state = index === at ? "current" : wrong.has(step) ? "wrong" : index < at ? "done" : "ahead";
          const face = (
            <>
              <span
                aria-hidden
                className={cn(
                  "flex size-5 items-center justify-center rounded-full border text-xs tabular-nums",
                  state === "current" && "border-accent bg-accent text-accent-ink",
                  state === "done" && "border-accent text-accent",
                  state === "wrong" && "border-negative text-negative",
                  state === "ahead" && "border-line-strong text-muted",
                )}
              >
                {state === "done" ? <Icon of="check" size={12} /> : state === "wrong" ? "!" : index + 1}
              </span>
              <span className={cn("max-medium:sr-only", state === "current" ? "font-medium" : "text-muted")}>
                {nameOf(step)}
              </span>
              <span className="sr-only">({t(`stepStates.${state}`)})</span>
            </>
          );
          const look = "flex items-center gap-2 text-sm";
          return (
            <li key={step} aria-current={state === "current" ? "step" : undefined}>
              {index < at ? (
                <button type="button" className={cn(look, "rounded hover:underline")} onClick={() => onGo(step)}>
                  {face}
                </button>
              ) : (
                <span className={look}>{face}</span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
