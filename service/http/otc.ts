import { operations } from "@/service/gateway/operations";
import { getTrade } from "@/service/otc/get-trade";
import { statusAnswer } from "./answer";
import { route } from "./route";

export const otcRoutes = [
  route(operations.getOtcTrade, async (call, _, { params: { id = "" } }) =>
    statusAnswer(call, await getTrade(call, id)),
  ),
];
