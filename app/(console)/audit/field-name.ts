import { useTranslations } from "next-intl";
import { ACCOUNT_FIELDS, HOLDER_FIELDS, partnerNumber } from "@/lib/accounts/view";
import { namingHidden } from "@/lib/text/safe-link";

/** The account screen's label for a path such as `data.person.fullName` or `owner[1].motherName`, else its last part in words. */
export function useFieldName(): (path: string) => string {
  const t = useTranslations("accountRecord");
  return (path) => {
    const number = partnerNumber(path.split(".").slice(0, -1).join("."));
    const partner = number === null ? [] : [t("partner", { number })];
    const last =
      path
        .split(".")
        .at(-1)
        ?.replace(/\[\d+\]$/, "") ?? path;
    const known = [...HOLDER_FIELDS, ...ACCOUNT_FIELDS].find((name) => name === last);
    const label =
      known === undefined
        ? namingHidden(last.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|_/gu, " ").toLowerCase())
        : t(`fields.${known}`);
    return [...partner, label].join(" · ");
  };
}
