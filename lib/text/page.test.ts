import { describe, expect, it } from "vitest";
import { PAGE_SIZE, pageWindow } from "./page";

describe("a page of a list", () => {
  it("returns the requested page", () => {
    expect(pageWindow(2, 3 * PAGE_SIZE)).toEqual({ page: 2, totalPages: 3, offset: PAGE_SIZE });
  });

  it("returns the last page beyond the end, as after filtering", () => {
    expect(pageWindow(99, PAGE_SIZE + 1)).toEqual({ page: 2, totalPages: 2, offset: PAGE_SIZE });
  });

  it("returns the first page of an empty list or for an invalid number", () => {
    expect(pageWindow(7, 0)).toEqual({ page: 1, totalPages: 1, offset: 0 });
    expect(pageWindow(-3, 10)).toEqual({ page: 1, totalPages: 1, offset: 0 });
  });

  it("starts no further page when exactly full", () => {
    expect(pageWindow(1, PAGE_SIZE).totalPages).toBe(1);
  });
});
