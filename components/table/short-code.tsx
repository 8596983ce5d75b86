import { ProviderText } from "@/components/layout/provider-text";
import { providerText } from "@/lib/text/provider-word";
import { shortAddress } from "@/lib/text/short";
import { CopyButton } from "./copy-button";

/** A hash or an address in a cell: its ends are shown, all of it is copied. */
export function ShortCode({ text, copyLabel }: { text: string; copyLabel: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="truncate font-mono text-sm" title={providerText(text)}>
        <ProviderText text={shortAddress(text)} />
      </code>
      <CopyButton text={text} label={copyLabel} />
    </span>
  );
}
