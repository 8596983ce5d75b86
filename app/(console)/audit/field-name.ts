import { useTranslations } from "next-intl";
import { ACCOUNT_FIELDS, HOLDER_FIELDS } from "@/lib/accounts/view";
import { namingHidden } from "@/lib/text/safe-link";

/** The account screen's label for a path such as `data.person.fullName`, else its last part in words. */
export function useFieldName(): (path: string) => string {
  const t = useTranslations("accountRecord.fields");
  return (path) => {
    const last =
      path
        .split(".")
        .at(-1)
        ?.replace(/\[\d+\]$/, "") ?? path;
    const known = [...HOLDER_FIELDS, ...ACCOUNT_FIELDS].find((name) => name === last);
    return known === undefined
      ? namingHidden(last.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|_/gu, " ").toLowerCase())
      : t(known);
  };
}
