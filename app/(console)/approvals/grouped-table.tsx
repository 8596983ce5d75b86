import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { type Columns, TableFrame, TableRow } from "@/components/table/data-table";
import type { ApprovalRow } from "@/lib/approvals/queries";
import { ShownValue } from "./shown-value";

type GroupedTableProps = { columns: Columns<ApprovalRow>; rows: readonly ApprovalRow[] };

export function GroupedTable({ columns, rows }: GroupedTableProps) {
  const t = useTranslations("approvals");
  const always = Object.values(columns).filter(({ from }) => from === undefined);
  const folded = Object.values(columns).filter(({ from }) => from !== undefined);
  return (
    <TableFrame label={t("title")} columns={columns} narrow="grid">
      {rows.map((row, nth) => {
        const { account } = row;
        const isFirst = nth === 0 || rows[nth - 1]?.account?.key !== account?.key;
        return (
          <Fragment key={row.id}>
            {isFirst ? (
              <tr>
                <th scope="rowgroup" colSpan={always.length} className="text-start font-medium">
                  {account === null ? (
                    t("groupOthers")
                  ) : (
                    <>
                      {account.name === null ? null : <ShownValue value={account.name} />}
                      <span className="text-muted"> · {t("group", { count: account.others + 1 })}</span>
                    </>
                  )}
                </th>
                {folded.map(({ header, from }) => (
                  <td key={header} aria-hidden data-from={from} />
                ))}
              </tr>
            ) : null}
            <TableRow columns={columns} row={row} />
          </Fragment>
        );
      })}
    </TableFrame>
  );
}
