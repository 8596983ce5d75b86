import { Check } from "lucide-react";
import { EnvironmentBadge, type Environment } from "@/components/layout/badges";
import { cn } from "@/components/ui/cn";

export type Place = { clientId: string; name: string; environment: Environment };

type TenantChoiceProps = { place: Place; isCurrent: boolean; isBusy: boolean; busyLabel: string; onChoose: () => void };

export function TenantChoice({ place, isCurrent, isBusy, busyLabel, onChoose }: TenantChoiceProps) {
  return (
    <button
      type="button"
      aria-current={isCurrent ? "true" : undefined}
      aria-busy={isBusy}
      onClick={onChoose}
      className="flex w-full items-center gap-2 rounded px-2.5 py-2 text-start outline-offset-[-2px] hover:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="mb-1 block font-medium wrap-anywhere">{isBusy ? busyLabel : place.name}</span>
        <EnvironmentBadge environment={place.environment} />
      </span>
      <Check aria-hidden size={14} className={cn("shrink-0 text-accent", !isCurrent && "invisible")} />
    </button>
  );
}
