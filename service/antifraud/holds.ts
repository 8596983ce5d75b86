/** Holds that a control route ordered beforehand, by tenant; they end with the process. */
export type Holds = {
  order: (clientId: string, transfers: number) => void;
  waiting: (clientId: string) => number;
  /** Once the transfer is certain to be held. */
  use: (clientId: string) => void;
};

export function createHolds(): Holds {
  const ordered = new Map<string, number>();
  const waiting = (clientId: string) => ordered.get(clientId) ?? 0;
  return {
    order: (clientId, transfers) => {
      ordered.set(clientId, transfers);
    },
    waiting,
    use: (clientId) => {
      ordered.set(clientId, Math.max(0, waiting(clientId) - 1));
    },
  };
}
