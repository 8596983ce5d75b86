/** Long enough to serve a crowd, short enough for a pause that another instance was told of. */
const KEPT_MS = 250;
const SECOND_MS = 1_000;

/** Places that were taken from the budget ahead of those who will want them. */
export type Spare = {
  /** How many to take ahead: what came in a quarter of the last second. None at the pace of a usual limit. */
  wanted: () => number;
  put: (places: number) => void;
  take: () => boolean;
  drop: () => void;
  noteAdmitted: (places: number) => void;
};

/** Under a load of hundreds of calls a second, one statement serves many of them; places that nobody came for are lost. */
export function createSpare(now: () => number): Spare {
  let second = 0;
  let inThisSecond = 0;
  let inLastSecond = 0;
  let places = 0;
  let keptUntilMs = 0;

  function age(): void {
    const current = Math.floor(now() / SECOND_MS);
    if (current === second) return;
    inLastSecond = current === second + 1 ? inThisSecond : 0;
    inThisSecond = 0;
    second = current;
  }

  return {
    wanted() {
      age();
      return Math.floor((inLastSecond * KEPT_MS) / SECOND_MS);
    },
    put(taken) {
      places = taken;
      keptUntilMs = now() + KEPT_MS;
    },
    take() {
      if (places === 0 || now() >= keptUntilMs) return false;
      places -= 1;
      return true;
    },
    drop() {
      places = 0;
    },
    noteAdmitted(admitted) {
      age();
      inThisSecond += admitted;
    },
  };
}
