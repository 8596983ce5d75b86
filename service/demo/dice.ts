/** Chance that repeats itself: the same seed throws the same dice. It decides how the demo looks, never an id or a key. */
export type Dice = {
  /** From 0 up to, not including, 1. */
  fraction: () => number;
  /** A whole number, both ends included. */
  int: (from: number, to: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  chance: (probability: number) => boolean;
};

/** Mulberry32 over a 32-bit seed. */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  return {
    fraction,
    int: (from, to) => from + Math.floor(fraction() * (to - from + 1)),
    pick: (items) => {
      const picked = items[Math.floor(fraction() * items.length)];
      if (picked === undefined) throw new RangeError("nothing to pick from");
      return picked;
    },
    chance: (probability) => fraction() < probability,
  };
}

/** A sum between two whole amounts of reais, in cents; half of them end as prices do. */
export function someCents(dice: Dice, fromReais: number, toReais: number): bigint {
  const cents = dice.chance(0.5) ? dice.pick([0, 50, 90, 99]) : dice.int(0, 99);
  return BigInt(dice.int(fromReais, toReais) * 100 + cents);
}

/** The items of a text that names them between commas. */
export function list(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}
