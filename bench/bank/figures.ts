/** One thing that is promised of the bank's client, and the measurement that holds it to that. */
export type Figure = {
  name: string;
  says: string;
  /** Its module; `take` prints what it measured and answers whether the bound holds. */
  load: () => Promise<{ take: (flags: readonly string[]) => Promise<boolean> }>;
};

export const figures: readonly Figure[] = [
  {
    name: "cold-cache",
    says: "500 calls at once in 4 processes that hold no token: 1 token request",
    load: () => import("./cold-cache"),
  },
  {
    name: "unauthorised",
    says: "500 calls answered 401 at once in 4 processes: 1 renewal, 500 retries, no third try",
    load: () => import("./unauthorised"),
  },
  {
    name: "hop",
    says: "a balance through the console beside a bare Next route handler that passes the call on: at most twice its time",
    load: () => import("./hop"),
  },
  {
    name: "kills",
    says: "kill -9 at every point of a transfer: at most one payment per intent, none undecided",
    load: () => import("./kills"),
  },
  {
    name: "lost-answers",
    says: "1,000 transfers whose answers are lost: at most one payment per intent, none undecided",
    load: () => import("./lost-answers"),
  },
  {
    name: "faults",
    says: "every kind of fault × every endpoint: bounded time, a typed error, nothing carried out twice",
    load: () => import("./faults"),
  },
];
