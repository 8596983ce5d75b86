import { ProviderText } from "@/components/layout/provider-text";
import { cn } from "@/components/ui/cn";

const GROUP = /^0x|.{1,4}/g;

export function groupsOf(address: string): { at: number; text: string }[] {
  return [...address.matchAll(GROUP)].map((match) => ({ at: match.index, text: match[0] }));
}

/** In groups of four, so that people compare all of it. Selecting copies it unbroken. */
export function GroupedAddress({ address }: { address: string }) {
  return (
    <code className="font-mono">
      {groupsOf(address).map(({ at, text }, index) => (
        <span key={at} className={cn("me-2 inline-block", index % 2 === 0 ? "text-ink" : "text-accent")}>
          <ProviderText text={text} />
        </span>
      ))}
    </code>
  );
}
