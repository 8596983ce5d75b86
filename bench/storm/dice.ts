/** Seeded chance: the same throws in the same order for the same seed. */
export type Dice = {
  /** A whole number from 0 up to, not including, `sides`. */
  below: (sides: number) => number;
  /** True in `percent` of a hundred throws. */
  chance: (percent: number) => boolean;
  pick: <Item>(items: readonly Item[]) => Item;
};

/** mulberry32: 32 bits of state are plenty for a load. */
export function rollDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (sides: number) => Math.floor(next() * sides);
  return {
    below,
    chance: (percent) => next() * 100 < percent,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError("there is nothing to pick from");
      return item;
    },
  };
}
