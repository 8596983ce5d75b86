import { describe, expect, it } from "vitest";
import type { LedgerAccount } from "@/service/ledger/account";
import { createLanes } from "./queue";

const account = (id: number): LedgerAccount => ({ id, holder: `h${id}`, assetId: "BRL", kind: "available" });
const world: LedgerAccount = { id: 99, holder: "world", assetId: "BRL", kind: "outside" };
const order = (name: string, ...ids: number[]) => ({ name, accounts: [...ids.map(account), world] });

const lanes = () => createLanes<ReturnType<typeof order>>((item) => item);

describe("the lanes of the queue", () => {
  it("take together what touches the same account, for one transaction enters it in order", () => {
    const [first, second] = [order("first", 1, 2), order("second", 2, 3)];
    expect(lanes().take([first, second], 10)).toEqual({ taken: [first, second], left: [] });
  });

  it("leave behind what touches an account that is being written, until that is released", () => {
    const own = lanes();
    const [first, second, free] = [order("first", 1, 2), order("second", 2, 3), order("free", 4, 5)];
    own.take([first], 10);
    expect(own.take([second, free], 10)).toEqual({ taken: [free], left: [second] });
    own.release([first]);
    expect(own.take([second], 10).taken).toEqual([second]);
  });

  it("let nothing overtake an earlier order of the same account", () => {
    const own = lanes();
    own.take([order("first", 1, 2)], 10);
    const [second, third] = [order("second", 2, 3), order("third", 3, 4)];
    expect(own.take([second, third], 10)).toEqual({ taken: [], left: [second, third] });
    const full = lanes();
    const [one, two, three] = [order("one", 1), order("two", 2), order("three", 3)];
    expect(full.take([one, two, three], 2)).toEqual({ taken: [one, two], left: [three] });
  });
});
