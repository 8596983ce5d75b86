import { download } from "@/lib/query";
import { exportSendReceipt } from "@/lib/wallets/queries";

export const GET = download((_search, { id = "" }) => exportSendReceipt.answer(id));
