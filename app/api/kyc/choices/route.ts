import { listChoices } from "@/lib/kyc/queries";
import { route } from "@/lib/query";

export const GET = route(() => listChoices.answer());
