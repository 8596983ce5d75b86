import { exportSent } from "@/lib/movements/queries";
import { download } from "@/lib/query";

export const GET = download((search) => exportSent.answer(Object.fromEntries(search)));
