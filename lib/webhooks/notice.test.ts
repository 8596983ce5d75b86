import { describe, expect, it } from "vitest";
import { otherWords } from "@/test/other-provider";
import { clientOf, noticeOf } from "./watch";

describe("what an event is about", () => {
  it.each([
    [{ onBoardingId: "o-1" }, { wakes: "onboarding", onBoardingId: "o-1" }],
    [
      { walletId: "w-1", network: "BSC" },
      { wakes: "wallets", walletId: "w-1", network: "BSC" },
    ],
    [{ accountId: "a-1" }, { wakes: "transfers", accountId: "a-1" }],
    [{ kycUUID: "k-1" }, { wakes: "kyc", kycUUID: "k-1" }],
  ])("reads the same object from %j in other words and at another depth", (payload, notice) => {
    expect(noticeOf("moon-phase", payload)).toEqual(notice);
    expect(noticeOf("moon-phase", { data: payload })).toEqual(notice);
    const words = { names: "snake_case", wrapping: "nested" } as const;
    expect(noticeOf("moon-phase", otherWords(payload, { undocumented: words }))).toEqual(notice);
  });

  it("reads an onboarding in Portuguese", () => {
    expect(noticeOf("moon-phase", [{ dados: { id_abertura: "o-1", situacao: "recusada" } }])).toEqual({
      wakes: "onboarding",
      onBoardingId: "o-1",
    });
  });

  it("reads an event's owner only under the interface's one name", () => {
    expect(clientOf({ clientId: "boreal" })).toBe("boreal");
    expect(clientOf({ id_cliente: "7", cliente: { clientId: "8" } })).toBeNull();
  });
});
