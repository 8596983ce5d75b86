import { route } from "@/lib/query";
import { getReceived } from "@/lib/webhooks/queries";

export const GET = route((_, { id = "" }) => getReceived.answer(id));
