"use client";

import { Icon } from "@/components/ui/icons";
import { EnvironmentBadge, type Environment } from "@/components/layout/badges";
import { cn } from "@/components/ui/cn";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useRef, useState } from "react";
import { DiscardQuestion } from "@/components/form/discard-question";
import { useAction } from "@/components/session/use-action";
import { FailureNotice } from "@/components/layout/failure-text";
import { useScope } from "@/components/session/scope";
import { switchTenant } from "@/lib/staff/actions";
import { screenAddress } from "@/lib/text/page";

export type TenantOption = { clientId: string; name: string; environment: Environment };

type TenantChoiceProps = {
  option: TenantOption;
  isCurrent: boolean;
  isBusy: boolean;
  busyLabel: string;
  onChoose: () => void;
};

export function TenantChoice({ option, isCurrent, isBusy, busyLabel, onChoose }: TenantChoiceProps) {
  return (
    <button
      type="button"
      aria-current={isCurrent ? "true" : undefined}
      aria-busy={isBusy}
      onClick={onChoose}
      className="flex w-full items-center gap-2 rounded px-2.5 py-2 text-start outline-offset-[-2px] hover:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="mb-1 block font-medium wrap-anywhere">{isBusy ? busyLabel : option.name}</span>
        <EnvironmentBadge environment={option.environment} />
      </span>
      <Icon of="check" size={14} className={cn("shrink-0 text-accent", !isCurrent && "invisible")} />
    </button>
  );
}

type TenantListProps = { current: TenantOption; options: readonly TenantOption[]; onClose: () => void };

/** A switch loads a new page, after asking about unsaved text. */
export function TenantList({ current, options, onClose }: TenantListProps) {
  const t = useTranslations("scope");
  const { announce, unsaved } = useScope();
  const { pending, failure, run } = useAction(switchTenant);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);

  const go = (clientId: string) => {
    setAsking(false);
    run(clientId, (scope) => {
      announce(scope);
      window.location.assign(screenAddress(window.location.pathname));
    });
  };
  const choose = (clientId: string) => {
    if (pending) return;
    setChosen(clientId);
    if (clientId === current.clientId) onClose();
    else if (unsaved.hasUnsaved()) setAsking(true);
    else go(clientId);
  };

  return (
    <>
      <ul aria-label={t("tenants")}>
        {options.map((option) => (
          <li key={option.clientId}>
            <TenantChoice
              option={option}
              isCurrent={option.clientId === current.clientId}
              isBusy={pending && chosen === option.clientId}
              busyLabel={t("switching")}
              onChoose={() => choose(option.clientId)}
            />
          </li>
        ))}
      </ul>
      {isAsking && chosen !== null ? (
        <div className="border-t border-line p-2.5">
          <DiscardQuestion question={t("discardQuestion")} onSave={onClose} onDiscard={() => go(chosen)} />
        </div>
      ) : null}
      <FailureNotice failure={failure} className="m-1" />
    </>
  );
}

type TenantMenuProps = {
  current: TenantOption;
  options: readonly TenantOption[];
  className: string;
  panelClassName: string;
  children: ReactNode;
};

export function TenantMenu({ current, options, className, panelClassName, children }: TenantMenuProps) {
  const t = useTranslations("scope");
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const [visit, setVisit] = useState(0);
  return (
    <>
      <button
        type="button"
        popoverTarget={panelId}
        className={cn("items-center gap-2 text-start hover:bg-hover", className)}
      >
        {children}
        <span className="sr-only">{t("switch")}</span>
        <Icon of="chevrons-up-down" size={14} className="shrink-0 text-faint" />
      </button>
      {/* Even a transparent backdrop makes Chromium stop painting what lies behind the drawer. */}
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        onToggle={({ newState }) => newState === "closed" && setVisit(visit + 1)}
        className={cn(
          "fixed inset-auto m-0 max-h-[70dvh] overflow-y-auto rounded-lg bg-raised p-1.5 text-ink shadow-float backdrop:hidden",
          panelClassName,
        )}
      >
        <TenantList key={visit} current={current} options={options} onClose={() => panel.current?.hidePopover()} />
      </div>
    </>
  );
}
