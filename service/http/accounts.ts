import { closeAccount } from "@/service/accounts/close-account";
import { checkOnboarding } from "@/service/accounts/onboarding";
import { getAccountInfo } from "@/service/accounts/get-account-info";
import { getBalance } from "@/service/accounts/get-balance";
import { getHistory } from "@/service/accounts/get-history";
import { getTransaction } from "@/service/accounts/get-transaction";
import { listAccounts } from "@/service/accounts/list-accounts";
import { requestAccount } from "@/service/accounts/request-account";
import { updateCompany } from "@/service/accounts/update-company";
import { operations } from "@/service/gateway/operations";
import { withValue } from "@/service/soon";
import { ok, sameAnswer, statusAnswer } from "./answer";
import { route } from "./route";

const success = (data: unknown) => ok({ status: "SUCCESS", data });

export const accountRoutes = [
  route(operations.createAccount, async (call, input) => {
    const onBoardingId = await requestAccount(call, input);
    return statusAnswer(call, { status: "PROCESSING", body: { onBoardingId } });
  }),
  route(operations.checkOnboarding, async (call, { onBoardingId }) => {
    return statusAnswer(call, await checkOnboarding(call, onBoardingId));
  }),
  route(operations.getBalance, (call, input) =>
    withValue(getBalance(call, input), (balance) => sameAnswer(balance, success)),
  ),
  route(operations.getHistory, async (call, input) => success(await getHistory(call, input))),
  route(operations.getTransaction, async (call, input) => statusAnswer(call, await getTransaction(call, input))),
  route(operations.getAccounts, async (call, input) => statusAnswer(call, await listAccounts(call, input))),
  route(operations.getPersonInfo, async (call, input) => statusAnswer(call, await getAccountInfo(call, input))),
  route(operations.getCompanyInfo, async (call, input) => statusAnswer(call, await getAccountInfo(call, input))),
  route(operations.updateCompanyInfo, async (call, input) => statusAnswer(call, await updateCompany(call, input))),
  route(operations.closeAccount, async (call, input) => statusAnswer(call, await closeAccount(call, input))),
];
