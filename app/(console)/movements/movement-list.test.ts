import { expect, it } from "vitest";
import { soleCounterpart } from "./movement-list";

it("names a filter's counterparty only where all rows show the same", () => {
  const [ana, bia, untold] = [{ counterpart: "A••• S•••" }, { counterpart: "B••• S•••" }, { counterpart: null }];
  expect(soleCounterpart([ana, untold, ana])).toBe("A••• S•••");
  expect(soleCounterpart([ana, bia])).toBeNull();
  expect(soleCounterpart([untold])).toBeNull();
  expect(soleCounterpart([])).toBeNull();
});
