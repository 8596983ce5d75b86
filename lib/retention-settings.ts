import { numberFrom } from "@/lib/setting";

const Years = numberFrom(1, 100, "must be a number of years").int({ error: "must be a whole number" });

export const RETENTION_SETTINGS = { RETENTION_YEARS: Years.default(10) };

export type RetentionSettings = {
  /** For how many years what is known of an ended relationship is kept. */
  retentionYears: number;
};

export const retentionSettingsOf = ({ RETENTION_YEARS }: { RETENTION_YEARS: number }): RetentionSettings => ({
  retentionYears: RETENTION_YEARS,
});
