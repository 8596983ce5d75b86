import { getHolder } from "@/lib/kyc/queries";
import { route } from "@/lib/query";

export const GET = route(async (_, { id = "" }) => ({ holder: await getHolder.answer(id) }));
