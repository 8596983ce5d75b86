export const dynamic = "force-dynamic";

/** That the process serves, whatever becomes of its store: to be started anew would not help that. */
export const GET = (): Response => Response.json({ status: "ok" });
