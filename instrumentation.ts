/** Runs once when a server process starts: settings, store and watches, or one line that says why not. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { start } = await import("@/lib/process/boot");
  const publicUrl = await start();
  // next-auth learns its own address from nowhere else; headers, which a proxy may forge, are not asked.
  process.env["NEXTAUTH_URL"] = publicUrl.origin;
}
