import { getStanding } from "@/lib/calls/queries";
import { route } from "@/lib/query";

export const GET = route(() => getStanding.answer());
