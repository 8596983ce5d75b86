import { expect, it } from "vitest";
import { soleCounterpart } from "./movement-list";

const shown = (counterpart: string | null) => ({ counterpart, other: null });

it("names a filter's counterparty only where all rows show the same", () => {
  const [ana, bia, untold] = [shown("A••• S•••"), shown("B••• S•••"), shown(null)];
  const own = { counterpart: null, other: { label: "0001 / 1", href: "/accounts/a", accountRef: "a" } };
  expect(soleCounterpart([ana, untold, ana])).toBe("A••• S•••");
  expect(soleCounterpart([own, untold])).toBe("0001 / 1");
  expect(soleCounterpart([ana, shown("A••• S••• · ***.456.789-**")])).toBe("A••• S•••");
  expect(soleCounterpart([ana, bia])).toBeNull();
  expect(soleCounterpart([untold])).toBeNull();
  expect(soleCounterpart([])).toBeNull();
});
