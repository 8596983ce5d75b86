import { accessFile, exportAccesses } from "@/lib/privacy/queries";
import { AccessPeriod, CustomerRecord } from "@/lib/privacy/inputs";
import { download } from "@/lib/query";
import { listNames } from "@/lib/search/queries";

export const GET = download(async (search) => {
  const asked = Object.fromEntries(search);
  const one = CustomerRecord.parse(asked);
  const accesses = await exportAccesses.answer(one, AccessPeriod.parse(asked));
  return accessFile(one, accesses, await listNames.answer(accesses.map(({ object }) => object)));
});
