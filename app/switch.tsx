import { cn } from "@/components/ui/cn";

type Choice = { value: string; name: string; lang?: string; isCurrent: boolean };

type SwitchProps = { label: string; choices: Choice[]; choose: (form: FormData) => Promise<void> };

/** Works before the page's scripts do. */
export function Switch({ label, choices, choose }: SwitchProps) {
  return (
    <form action={choose}>
      <fieldset>
        <legend className="mb-1.5 text-xs font-medium text-muted">{label}</legend>
        <div className="flex rounded border border-line bg-canvas p-0.5">
          {choices.map((choice) => (
            <button
              key={choice.value}
              type="submit"
              name="choice"
              value={choice.value}
              lang={choice.lang}
              aria-pressed={choice.isCurrent}
              className={cn(
                "h-6.5 flex-1 rounded-sm px-2 text-sm",
                choice.isCurrent ? "bg-raised font-medium text-ink shadow-control" : "text-muted hover:text-ink",
              )}
            >
              {choice.name}
            </button>
          ))}
        </div>
      </fieldset>
    </form>
  );
}
