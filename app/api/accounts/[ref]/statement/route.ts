import { exportStatement } from "@/lib/accounts/queries";
import { StatementFormat } from "@/lib/accounts/inputs";
import { download } from "@/lib/query";

export const GET = download((search, { ref = "" }) => {
  const asked = Object.fromEntries(search);
  return exportStatement.answer(ref, asked, StatementFormat.parse(asked["format"]));
});
