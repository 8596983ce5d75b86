import { useTranslations } from "next-intl";
import { UnknownStatus } from "@/components/layout/badges";
import { ProviderText } from "@/components/layout/provider-text";
import { Status } from "@/components/ui/status";
import { type EntryFieldName, entryWordOf } from "@/lib/accounts/view";
import type { AccountStanding } from "@/lib/db/enums/accounts";
import { providerWord } from "@/lib/text/provider-word";

export const STANDING_LOOKS = {
  OPEN: { tone: "positive", progress: "settled" },
  BLOCKED: { tone: "negative", progress: "settled" },
  CLOSED: { tone: "neutral", progress: "settled" },
} as const;

type StandingProps = {
  standing: AccountStanding;
  /** The provider's word; null or empty when it gives none. */
  word: string | null;
  /** Hides a provider's word that only repeats ours. */
  isShort?: boolean;
};

/** The account's status with the provider's own word. */
export function Standing({ standing, word, isShort = false }: StandingProps) {
  const t = useTranslations("standings");
  if (standing === "UNKNOWN") {
    return word === null || word === "" ? (
      <span className="text-faint">{t("UNKNOWN")}</span>
    ) : (
      <UnknownStatus word={word} />
    );
  }
  return (
    <Status {...STANDING_LOOKS[standing]}>
      {t(standing)}
      {isShort || word === null || word === "" ? null : (
        <code className="font-mono text-xs text-muted">
          <ProviderText text={word} />
        </code>
      )}
    </Status>
  );
}

/** The provider's value of a field: translated when known, else as written. */
export function EntryWord({ field, text }: { field: EntryFieldName | null; text: string }) {
  const t = useTranslations("statement.words");
  const word = entryWordOf(field, text);
  return word === null ? <ProviderText text={providerWord(text)} /> : t(word);
}

/** Marks only closed and blocked accounts. */
export function StandingMark({ standing }: { standing: AccountStanding }) {
  return standing === "CLOSED" || standing === "BLOCKED" ? <Standing standing={standing} word={null} isShort /> : null;
}
