/** What a page sends with all it reads and writes: whose it is and at which tenant. */
export const DESK_HEADER = "x-retaguarda-desk";

/** Who works where; neither half can hold the colon. */
export const deskIdOf = ({ staffId, tenant }: { staffId: string; tenant: string }) => `${staffId}:${tenant}`;

/** Why a page of the first desk may not act at the second one; null when they are one. */
export function deskChange(page: unknown, now: string): "person-changed" | "tenant-changed" | null {
  if (page === now) return null;
  const [person] = now.split(":");
  return typeof page === "string" && page.startsWith(`${person}:`) ? "tenant-changed" : "person-changed";
}
