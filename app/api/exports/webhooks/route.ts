import { ReceivedFilter } from "@/lib/webhooks/inputs";
import { exportReceived } from "@/lib/webhooks/queries";
import { download } from "@/lib/query";

export const GET = download((search) => exportReceived.answer(ReceivedFilter.parse(Object.fromEntries(search))));
