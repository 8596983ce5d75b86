import { accessFile } from "@/lib/privacy/queries";
import { exportAccesses } from "@/lib/privacy/queries";
import { CustomerRecord } from "@/lib/privacy/rules";
import { download } from "@/lib/query";

export const GET = download(async (search) => {
  const one = CustomerRecord.parse(Object.fromEntries(search));
  return accessFile(one, await exportAccesses.answer(one));
});
