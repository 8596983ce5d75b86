import { route } from "@/lib/query";
import { listArrivals } from "@/lib/webhooks/queries";

export const GET = route(() => listArrivals.answer());
