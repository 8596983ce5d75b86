import { looksFile } from "@/lib/privacy/queries";
import { exportLooks } from "@/lib/privacy/queries";
import { CustomerRecord } from "@/lib/privacy/rules";
import { download } from "@/lib/query";

export const GET = download(async (search) => {
  const one = CustomerRecord.parse(Object.fromEntries(search));
  return looksFile(one, await exportLooks.answer(one));
});
