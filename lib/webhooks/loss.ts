/** Of one day back from now: `never` did not come, of those `judged`, which came or whose time is over. */
export type Losses = { never: number; judged: number };

/** One lost event is the provider's normal case: seven seconds of silence are enough for it. */
export const LOSS_COUNT = 5;
export const LOSS_SHARE = 0.05;

/** Whether so much was lost that somebody must be told: `LOSS_COUNT` events, and `LOSS_SHARE` of all that were judged. */
export const isLossGrave = ({ never, judged }: Losses): boolean => never >= LOSS_COUNT && never >= judged * LOSS_SHARE;
