import { Fold } from "@/components/ui/fold";
import type { ReactNode } from "react";

const SHOWN = 4;

const ITEMS_CLASS =
  "grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-6 gap-y-2 medium:flex medium:flex-wrap medium:gap-x-10";

type SumSectionProps = {
  words: { title: string; nothing: string; more: (count: number) => string; fewer: string };
  /** One `<li>` for each sum. */
  items: readonly ReactNode[];
  children?: ReactNode;
};

/** The sums of a filtered list, of all its pages: the first four, the rest folded, and what is in none. */
export function SumSection({ words, items, children }: SumSectionProps) {
  const folded = items.slice(SHOWN);
  return (
    <section aria-label={words.title} className="space-y-1.5 border-b border-line px-5 py-3">
      {items.length === 0 ? (
        <p className="text-sm text-muted">{words.nothing}</p>
      ) : (
        <ul className={ITEMS_CLASS}>{items.slice(0, SHOWN)}</ul>
      )}
      {folded.length === 0 ? null : (
        <Fold
          className="group"
          tone="text-sm text-accent"
          summary={
            <>
              <span className="group-open:hidden">{words.more(folded.length)}</span>
              <span className="hidden group-open:inline">{words.fewer}</span>
            </>
          }
        >
          <ul className={ITEMS_CLASS}>{folded}</ul>
        </Fold>
      )}
      {children}
    </section>
  );
}
