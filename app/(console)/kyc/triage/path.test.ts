import { beforeEach, describe, expect, it } from "vitest";
import { showCase, showList, takeArrival, wayBack } from "./use-keys";

beforeEach(() => {
  showList("/kyc?view=mine", ["one", "two", "three"]);
  showCase("two");
});

describe("whoever goes back up to the list", () => {
  it("keeps the filter and moves the focus to the case just left", () => {
    expect(wayBack("/kyc")).toBe("/kyc?view=mine");
    expect(takeArrival(["one", "two", "three"])).toBe("two");
  });

  it("focuses the next case after theirs left the list, else the previous one", () => {
    wayBack("/kyc");
    expect(takeArrival(["one", "three"])).toBe("three");
    wayBack("/kyc");
    expect(takeArrival(["one", "four"])).toBe("one");
  });

  it("focuses the first case when theirs and its neighbours are gone", () => {
    wayBack("/kyc");
    expect(takeArrival(["nine", "ten"])).toBe("nine");
    wayBack("/kyc");
    expect(takeArrival([])).toBeNull();
  });
});

it("focuses no case when the list is opened from elsewhere", () => {
  expect(takeArrival(["one", "two"])).toBeNull();
  wayBack("/kyc");
  takeArrival(["one"]);
  expect(takeArrival(["one"])).toBeNull();
});
