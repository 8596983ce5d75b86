import { partsOf } from "@/lib/text/safe-link";

/**
 * A text that the provider, or somebody through it, wrote. It keeps its direction to itself, so that it cannot turn around
 * what stands beside it, and signs that nobody would see are shown by their number.
 */
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
