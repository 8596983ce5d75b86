import { cn } from "@/lib/cn";

type Choice = { name: string; lang?: string; isCurrent: boolean; choose: () => Promise<void> };

/** A few exclusive choices that the server keeps; works before the page's scripts do. */
export function Switch({ label, choices }: { label: string; choices: Choice[] }) {
  return (
    <form>
      <fieldset>
        <legend className="mb-1.5 text-xs font-medium text-muted">{label}</legend>
        <div className="flex rounded border border-line bg-canvas p-0.5">
          {choices.map((choice) => (
            <button
              key={choice.name}
              type="submit"
              formAction={choice.choose}
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
