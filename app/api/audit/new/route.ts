import { countNew } from "@/lib/audit-trail/queries";
import { AuditFilter } from "@/lib/audit-trail/inputs";
import { route } from "@/lib/query";

export const GET = route((search) => countNew.answer(AuditFilter.parse(Object.fromEntries(search))));
