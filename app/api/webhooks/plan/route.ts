import { route } from "@/lib/query";
import { replayScopeOf } from "@/lib/webhooks/inputs";
import { planDeliveryReplay } from "@/lib/webhooks/queries";

export const GET = route((search) => planDeliveryReplay.answer(replayScopeOf(Object.fromEntries(search))));
