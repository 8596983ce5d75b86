import { listOfIntent } from "@/lib/audit-trail/queries";
import { route } from "@/lib/query";

export const GET = route((search) => listOfIntent.answer(search.get("id") ?? ""));
