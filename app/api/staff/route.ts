import { route } from "@/lib/query";
import { listStaff } from "@/lib/staff/queries";

export const GET = route(() => listStaff.answer());
