import { partsOf } from "@/lib/text/safe-link";

/** Isolates its direction, and shows invisible characters by number. */
export function ProviderText({ text }: { text: string }) {
  return (
    <bdi>
      {partsOf(text).map((part, place) =>
        part.isHidden ? (
          <span key={`${place} ${part.text}`} className="rounded bg-warning-tint px-0.5 font-mono text-xs text-warning">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
