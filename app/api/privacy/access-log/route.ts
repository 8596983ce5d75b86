import { accessFile } from "@/lib/privacy/queries";
import { exportAccesses } from "@/lib/privacy/queries";
import { AccessPeriod, CustomerRecord } from "@/lib/privacy/rules";
import { download } from "@/lib/query";

export const GET = download(async (search) => {
  const asked = Object.fromEntries(search);
  const one = CustomerRecord.parse(asked);
  return accessFile(one, await exportAccesses.answer(one, AccessPeriod.parse(asked)));
});
