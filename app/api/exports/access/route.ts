import { download } from "@/lib/query";
import { exportAccess } from "@/lib/staff/queries";

export const GET = download(() => exportAccess.answer());
