import { listAssignees } from "@/lib/kyc/queries";
import { route } from "@/lib/query";

export const GET = route(() => listAssignees.answer());
