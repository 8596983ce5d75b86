import { ProviderParts } from "@/components/layout/provider-text";
import { cn } from "@/components/ui/cn";
import { providerText } from "@/lib/text/provider-word";
import { shortAddress } from "@/lib/text/short";
import { CopyButton } from "./copy-button";

/** By the length of the end that is always shown: as many whole signs of the first as there is room for. */
const ROOM: Readonly<Record<number, string>> = {
  7: "shrink-0 max-w-[calc(round(down,100%-6.9ch,1ch)+0.1ch)]",
  9: "shrink-0 max-w-[calc(round(down,100%-8.9ch,1ch)+0.1ch)]",
};

type ShortCodeProps = { text: string; copyLabel: string; shown?: string | undefined };

/** A hash or an address in a cell: its ends are shown, in a narrow one less of the first; all of it is copied. */
export function ShortCode({ text, copyLabel, shown }: ShortCodeProps) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <ShortEnds text={text} shown={shown} />
      <CopyButton text={text} label={copyLabel} />
    </span>
  );
}

type ShortEndsProps = { text: string; shown?: string | undefined; className?: string };

export function ShortEnds({ text, shown = shortAddress(text), className = "flex" }: ShortEndsProps) {
  const [head = "", tail] = shown.split(/(?=…)/);
  return (
    <code
      dir="ltr"
      className={cn("min-w-0 font-mono text-sm tracking-normal whitespace-nowrap", className)}
      title={providerText(text)}
    >
      <span className={cn("h-[1lh] min-w-[1ch] overflow-hidden break-all whitespace-normal", ROOM[tail?.length ?? 0])}>
        <ProviderParts text={head} />
      </span>
      {tail === undefined ? null : <ProviderParts text={tail} />}
    </code>
  );
}
