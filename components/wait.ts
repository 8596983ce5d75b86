/** Somebody who waits longer than this wonders why. */
const LONG_MS = 1_500;

const followers = new Set<() => void>();

function tell(): void {
  for (const hear of followers) hear();
}

/** Hears that somebody at this window waits long, or was turned away, until the returned function is called. */
export function followWaits(hear: () => void): () => void {
  followers.add(hear);
  return () => void followers.delete(hear);
}

/** Tells those who follow when what somebody waits for takes long, and when it ends by being turned away. */
export function minded<Answer>(
  work: Promise<Answer>,
  isTurnedAway: (outcome: PromiseSettledResult<Answer>) => boolean,
): Promise<Answer> {
  const timer = setTimeout(tell, LONG_MS);
  const mind = async () => {
    const [outcome] = await Promise.allSettled([work]);
    clearTimeout(timer);
    if (isTurnedAway(outcome)) tell();
  };
  void mind();
  return work;
}
