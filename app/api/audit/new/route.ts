import { countNew } from "@/lib/audit/queries";
import { AuditFilter } from "@/lib/audit/rules";
import { route } from "@/lib/query";

export const GET = route((search) => countNew.answer(AuditFilter.parse(Object.fromEntries(search))));
