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
  /** The provider's own; null or empty: it tells none. */
  word: string | null;
  /** Where the provider's word for what we know would only repeat it. */
  isShort?: boolean;
};

/** How an account stands, with the provider's own word for it. */
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

/** What the provider says of an entry in that field: a known word in the reader's language, any other as it was written. */
export function EntryWord({ field, text }: { field: EntryFieldName | null; text: string }) {
  const t = useTranslations("statement.words");
  const word = entryWordOf(field, text);
  return word === null ? <ProviderText text={providerWord(text)} /> : t(word);
}

/** Only what is worth a glance beside an account's name: closed, or blocked. */
export function StandingMark({ standing }: { standing: AccountStanding }) {
  return standing === "CLOSED" || standing === "BLOCKED" ? <Standing standing={standing} word={null} isShort /> : null;
}
