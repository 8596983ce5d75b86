import { randomUUID } from "node:crypto";
import { lookUp } from "@/lib/accounts/look-up";
import { actorOf } from "@/lib/testing";
import { savePayee } from "@/lib/transfers/payees";
import { PayeeSaving } from "@/lib/transfers/rules";
import type { Act, Stage } from "./acts-testing";

async function refOf({ parties, makerId }: Stage, place: 0 | 1): Promise<string> {
  const { onBoardingId: query } = parties[place];
  const found = await lookUp(actorOf("finance", makerId, "accounts:read"), { query });
  return "accountRef" in found ? found.accountRef : "";
}

const between = async (stage: Stage) => ({
  kind: "INTERNAL",
  from: await refOf(stage, 0),
  to: await refOf(stage, 1),
  userId: "user-1",
  amount: "10,00",
  description: "",
});

const recipient = {
  institutionIspb: "60701190",
  institutionCode: "341",
  branchCode: "0123",
  accountCode: "98765-4",
  bankAccountType: "CACC",
  document: "39053344705",
  name: "João Lima",
};

const ted = async (stage: Stage) => ({
  kind: "EXTERNAL",
  from: await refOf(stage, 0),
  userId: "user-1",
  amount: "10,00",
  ...recipient,
});

const ordering =
  (form: (stage: Stage) => Promise<object>, changes: object = {}): Act =>
  async (stage) => ({
    by: await stage.seatOf("support"),
    input: { ...(await form(stage)), intentId: randomUUID(), seen: [], ...changes },
  });

/** The ways in which a transfer is reviewed and ordered. */
export const TRANSFER_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "transfers.savePayee": {
    "an account that is saved before it is paid": async (stage) => ({
      by: await stage.seatOf("support"),
      input: { kind: "INTERNAL", to: await refOf(stage, 1) },
    }),
    "a payee that is saved before it is paid": async (stage) => ({
      by: await stage.seatOf("support"),
      input: { kind: "EXTERNAL", ...recipient },
    }),
  },
  "transfers.removePayee": {
    "the removal of a payee": async (stage) => {
      const [saved] = (await savePayee(stage.maker, PayeeSaving.parse({ kind: "EXTERNAL", ...recipient }))).payees;
      return { by: await stage.seatOf("support"), input: { payeeId: saved?.id } };
    },
  },
  "transfers.reviewTransfer": {
    "a review that shows whose account is paid": async (stage) => ({
      by: await stage.seatOf("support"),
      input: await between(stage),
    }),
  },
  "transfers.orderTransfer": {
    "a transfer between accounts by its form": ordering(between),
    "a TED by its form": ordering(ted),
    "a proposal of a transfer": ordering(between, { amount: "5.000,00" }),
  },
};
