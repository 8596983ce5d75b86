import { route } from "@/lib/query";
import { listTransfers } from "@/lib/transfers/queries";
import { TransferFilter } from "@/lib/transfers/inputs";

export const GET = route((search) => listTransfers.answer(TransferFilter.parse(Object.fromEntries(search))));
