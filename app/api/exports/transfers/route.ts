import { download } from "@/lib/query";
import { exportTransfers } from "@/lib/transfers/queries";
import { TransferFilter } from "@/lib/transfers/inputs";

export const GET = download((search) => exportTransfers.answer(TransferFilter.parse(Object.fromEntries(search))));
