/** Limits for one São Paulo day without approval, in reais with two decimals; null is no limit. */
export type DayLimits = {
  /** From this sum, or this number, a second person is needed. */
  personSum: string | null;
  personCount: number | null;
  payeeSum: string | null;
  payeeCount: number | null;
  tenantSum: string | null;
  /** Limits a payee who was not paid on an earlier day. */
  firstSum: string | null;
};

export const LIMIT_NAMES = ["personSum", "personCount", "payeeSum", "payeeCount", "tenantSum", "firstSum"] as const;

export const NO_LIMITS: DayLimits = {
  personSum: null,
  personCount: null,
  payeeSum: null,
  payeeCount: null,
  tenantSum: null,
  firstSum: null,
};
