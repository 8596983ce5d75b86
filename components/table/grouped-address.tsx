import { ProviderText } from "@/components/layout/provider-text";
import { cn } from "@/components/ui/cn";

const GROUP = /^0x|.{1,4}/g;

export function groupsOf(address: string): { at: number; text: string }[] {
  return [...address.matchAll(GROUP)].map((match) => ({ at: match.index, text: match[0] }));
}

type Range = { from: number; to: number };

function Group({ at, text, marked: { from, to } }: { at: number; text: string; marked: Range }) {
  const start = Math.min(Math.max(from - at, 0), text.length);
  const end = Math.min(Math.max(to - at, 0), text.length);
  if (start === end) return <ProviderText text={text} />;
  return (
    <>
      {text.slice(0, start)}
      <mark className="bg-transparent font-bold text-inherit underline decoration-2 underline-offset-4">
        <ProviderText text={text.slice(start, end)} />
      </mark>
      {text.slice(end)}
    </>
  );
}

const NONE: Range = { from: 0, to: 0 };

/** In groups of four, so that people compare all of it. Selecting copies it unbroken. */
export function GroupedAddress({ address, marked = NONE }: { address: string; marked?: Range }) {
  return (
    <code className="font-mono">
      {groupsOf(address).map(({ at, text }, index) => (
        <span key={at} className={cn("me-2 inline-block", index % 2 === 0 ? "text-ink" : "text-accent")}>
          <Group at={at} text={text} marked={marked} />
        </span>
      ))}
    </code>
  );
}
