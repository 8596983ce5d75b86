import { useTranslations } from "next-intl";

type AsTableProps = { caption: string; head: readonly string[]; rows: readonly (readonly [string, ...number[]])[] };

/** The same figures as rows, for whoever reads them better so. */
export function AsTable({ caption, head, rows }: AsTableProps) {
  const t = useTranslations("kycFigures");
  return (
    <details className="pt-3 text-sm">
      <summary className="w-fit text-muted hover:text-ink">{t("asTable")}</summary>
      <table className="ledger mt-2" aria-label={caption}>
        <thead>
          <tr>
            {head.map((name, place) => (
              <th key={name} scope="col" data-align={place === 0 ? undefined : "end"}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...counts]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {counts.map((count, place) => (
                <td key={head[place + 1]} data-align="end">
                  {count}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
