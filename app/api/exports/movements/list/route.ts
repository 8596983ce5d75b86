import { exportMovements } from "@/lib/movements/queries";
import { download } from "@/lib/query";

export const GET = download((search) => exportMovements.answer(Object.fromEntries(search)));
