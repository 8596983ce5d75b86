import { useTranslations } from "next-intl";
import Link from "next/link";
import { CopyButton } from "@/components/table/copy-button";
import { buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import { FIRST_STEPS, type FirstStep, type FirstSteps } from "@/lib/first-steps/view";
import { setFirstStepsHidden } from "@/lib/preferences/actions";

const PLACES: Readonly<Record<FirstStep, string>> = {
  provider: "/calls",
  team: "/staff",
  approver: "/staff",
  policy: "/settings/approvals",
  webhook: "/webhooks",
  account: "/accounts",
};

type FirstStepListProps = { steps: FirstSteps; tenant: string };

export function FirstStepList({ steps, tenant }: FirstStepListProps) {
  const t = useTranslations("firstSteps");
  const done = FIRST_STEPS.filter((step) => steps.done[step]).length;
  const next = FIRST_STEPS.find((step) => !steps.done[step]);
  return (
    <section aria-labelledby="first-steps" className="border-b border-line">
      <div className="flex h-12 items-center gap-3 px-5">
        <h2 id="first-steps" className="truncate font-medium">
          {t("title", { tenant })}
        </h2>
        <span className="shrink-0 text-sm text-muted tabular-nums">
          {t("progress", { done, all: FIRST_STEPS.length })}
        </span>
        <form action={setFirstStepsHidden} className="ml-auto">
          <button type="submit" className={buttonClass("plain", "small")}>
            {t("hide")}
          </button>
        </form>
      </div>
      <ol className="divide-y divide-line border-t border-line">
        {FIRST_STEPS.map((step) => (
          <Step key={step} step={step} steps={steps} isNext={step === next} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step, steps, isNext }: { step: FirstStep; steps: FirstSteps; isNext: boolean }) {
  const t = useTranslations();
  const { done, lastStatus, invited, ownAddress } = steps;
  const values = { invited, status: lastStatus === null ? "none" : String(lastStatus) };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2">
      {done[step] ? (
        <span className="flex shrink-0">
          <Icon of="circle-check" size={16} className="text-positive" />
          <span className="sr-only">{t("firstSteps.isDone")}</span>
        </span>
      ) : (
        <Icon of="circle" size={16} className="shrink-0 text-faint" />
      )}
      <div className="min-w-0 flex-1 basis-60">
        <p className={cn(done[step] ? "text-muted" : "font-medium")}>{t(`firstSteps.${step}.title`)}</p>
        <p className="text-sm text-muted">
          {done[step] ? t(`firstSteps.${step}.done`) : t(`firstSteps.${step}.open`, values)}
          {step === "webhook" && !done[step] ? (
            <>
              {" "}
              <code className="font-mono text-sm wrap-anywhere text-ink">{ownAddress}</code>{" "}
              <CopyButton text={ownAddress} label={t("webhooks.copyAddress")} />
            </>
          ) : null}
        </p>
      </div>
      {done[step] ? null : (
        <Link href={PLACES[step]} prefetch={false} className={buttonClass(isNext ? "primary" : "plain", "small")}>
          {t(`firstSteps.${step}.link`)}
        </Link>
      )}
    </li>
  );
}
