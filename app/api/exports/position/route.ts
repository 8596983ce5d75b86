import { exportPosition } from "@/lib/position/queries";
import { PositionFilter } from "@/lib/position/inputs";
import { download } from "@/lib/query";

export const GET = download((search) => exportPosition.answer(PositionFilter.parse(Object.fromEntries(search))));
