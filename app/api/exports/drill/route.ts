import { download } from "@/lib/query";
import { DrillFilter } from "@/lib/webhooks/inputs";
import { exportDrill } from "@/lib/webhooks/queries";

export const GET = download((search) => exportDrill.answer(DrillFilter.parse(Object.fromEntries(search))));
