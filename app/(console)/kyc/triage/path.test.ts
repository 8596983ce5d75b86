import { beforeEach, describe, expect, it } from "vitest";
import { showCase, showList, takeArrival, wayBack } from "./use-keys";

beforeEach(() => {
  showList("/kyc?view=mine", ["one", "two", "three"]);
  showCase("two");
});

describe("whoever goes back up to the list", () => {
  it("finds it as it was filtered, and stands on the case they came from", () => {
    expect(wayBack("/kyc")).toBe("/kyc?view=mine");
    expect(takeArrival(["one", "two", "three"])).toBe("two");
  });

  it("stands on the next case when theirs has left the list, else on the one before", () => {
    wayBack("/kyc");
    expect(takeArrival(["one", "three"])).toBe("three");
    wayBack("/kyc");
    expect(takeArrival(["one", "four"])).toBe("one");
  });

  it("lands on the first case when theirs and its neighbours are gone", () => {
    wayBack("/kyc");
    expect(takeArrival(["nine", "ten"])).toBe("nine");
    wayBack("/kyc");
    expect(takeArrival([])).toBeNull();
  });
});

it("whoever opens the list otherwise is put on no case", () => {
  expect(takeArrival(["one", "two"])).toBeNull();
  wayBack("/kyc");
  takeArrival(["one"]);
  expect(takeArrival(["one"])).toBeNull();
});
