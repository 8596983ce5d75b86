import { route } from "@/lib/query";
import { listReplays } from "@/lib/webhooks/queries";

export const GET = route(() => listReplays.answer());
