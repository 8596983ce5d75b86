import { expect, it } from "vitest";
import * as operations from "@/lib/provider/operations";
import { READS } from "./reads";

it("has every GET that the console sends, and no other method", () => {
  const sent = Object.values(operations).flatMap((one) => (one.method === "GET" ? [one.path] : []));
  expect(sent.toSorted()).toEqual(
    Object.values(READS)
      .map(({ path }) => path)
      .toSorted(),
  );
});
