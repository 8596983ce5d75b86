import { CallFilter } from "@/lib/calls/inputs";
import { exportCalls } from "@/lib/calls/queries";
import { download } from "@/lib/query";

export const GET = download((search) => exportCalls.answer(CallFilter.parse(Object.fromEntries(search))));
