import { ProviderText } from "@/components/layout/provider-text";

const GROUP = /^0x|.{1,4}/g;

export function groupsOf(address: string): { at: number; text: string }[] {
  return [...address.matchAll(GROUP)].map((match) => ({ at: match.index, text: match[0] }));
}

/** In groups of four, so that people compare all of it. Selecting copies it unbroken. */
export function GroupedAddress({ address }: { address: string }) {
  return (
    <code className="flex flex-wrap gap-x-2 gap-y-0.5 font-mono">
      {groupsOf(address).map(({ at, text }, index) => (
        <span key={at} className={index % 2 === 0 ? "text-ink" : "text-accent"}>
          <ProviderText text={text} />
        </span>
      ))}
    </code>
  );
}
