import { describe, expect, test } from "vitest";
import { APPROVAL_STATES, type ApprovalState } from "@/lib/db/enums/approvals";
import { approvalCan } from "./can";

const states = (act: "decide" | "withdraw" | "complete", isMine: boolean): ApprovalState[] =>
  APPROVAL_STATES.filter((state) => approvalCan[act]({ state, isMine }) === null);

const code = (state: ApprovalState) => approvalCan.complete({ state, isMine: true })?.code;

describe("an approval", () => {
  test("lets only somebody else decide an approval while it waits", () => {
    expect(states("decide", false)).toEqual(["PENDING"]);
    expect(approvalCan.decide({ state: "PENDING", isMine: true })).toEqual({ kind: "forbidden", code: "approval-own" });
    expect(approvalCan.decide({ state: "READY", isMine: true })?.code).toBe("approval-ended");
  });

  test("lets only its maker withdraw and complete an approval", () => {
    expect(states("withdraw", true)).toEqual(["PENDING", "READY"]);
    expect(states("complete", true)).toEqual(["READY"]);
    expect([...states("withdraw", false), ...states("complete", false)]).toEqual([]);
  });

  test("says what keeps the maker from completing an approval", () => {
    expect(code("PENDING")).toBe("approval-undecided");
    expect(code("AUTHORISED")).toBe("approval-under-way");
    expect(code("EXPIRED")).toBe("approval-ended");
  });

  test("accepts comments from an approval's maker and possible deciders", () => {
    expect(approvalCan.comment({ isMine: true, mayDecide: false })).toBeNull();
    expect(approvalCan.comment({ isMine: false, mayDecide: true })).toBeNull();
    expect(approvalCan.comment({ isMine: false, mayDecide: false })?.code).toBe("approval-not-yours");
  });
});
