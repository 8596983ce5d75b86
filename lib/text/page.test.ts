import { describe, expect, it } from "vitest";
import { PAGE_SIZE, pageWindow } from "./page";

describe("a page of a list", () => {
  it("is the one asked for", () => {
    expect(pageWindow(2, 3 * PAGE_SIZE)).toEqual({ page: 2, totalPages: 3, offset: PAGE_SIZE });
  });

  it("is the last one when it lies past the end, as after a filter", () => {
    expect(pageWindow(99, PAGE_SIZE + 1)).toEqual({ page: 2, totalPages: 2, offset: PAGE_SIZE });
  });

  it("is the first one of an empty list and of an odd number", () => {
    expect(pageWindow(7, 0)).toEqual({ page: 1, totalPages: 1, offset: 0 });
    expect(pageWindow(-3, 10)).toEqual({ page: 1, totalPages: 1, offset: 0 });
  });

  it("that is full begins no further one", () => {
    expect(pageWindow(1, PAGE_SIZE).totalPages).toBe(1);
  });
});
