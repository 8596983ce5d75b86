import { operations } from "@/service/gateway/operations";
import { lookUpPixKey } from "@/service/pix/look-up-key";
import { statusAnswer } from "./answer";
import { route } from "./route";

export const pixRoutes = [
  route(operations.getPixKey, async (call, { pixKey }) => statusAnswer(call, await lookUpPixKey(call, pixKey))),
];
