import { getStanding } from "@/lib/provider/queries";
import { route } from "@/lib/query";

export const GET = route(() => getStanding.answer());
