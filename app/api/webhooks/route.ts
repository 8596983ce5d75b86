import { route } from "@/lib/query";
import { listReceived } from "@/lib/webhooks/queries";
import { ReceivedFilter } from "@/lib/webhooks/inputs";

export const GET = route((search) => listReceived.answer(ReceivedFilter.parse(Object.fromEntries(search))));
