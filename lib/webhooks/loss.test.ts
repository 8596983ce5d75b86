import { expect, it } from "vitest";
import { isLossGrave } from "./loss";

it.each([
  [{ never: 0, judged: 0 }, false],
  [{ never: 4, judged: 4 }, false],
  [{ never: 5, judged: 5 }, true],
  [{ never: 5, judged: 100 }, true],
  [{ never: 5, judged: 101 }, false],
  [{ never: 60, judged: 1_000 }, true],
])("tells of a grave loss at %o: %s", (losses, isGrave) => {
  expect(isLossGrave(losses)).toBe(isGrave);
});
