export const dynamic = "force-dynamic";

/** The process serves, whatever becomes of its store: a restart would not help that. */
export const GET = (): Response => Response.json({ status: "ok" });
