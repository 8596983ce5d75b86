import { takeMovementFile } from "@/lib/movements/queries";
import { download } from "@/lib/query";

export const GET = download((search) => takeMovementFile.answer(search.get("id") ?? ""));
