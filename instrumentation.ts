/** Runs once per server process; prints one line when it cannot start. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { start } = await import("@/lib/boot/boot");
  const publicUrl = await start();
  // Never from headers, which a proxy may forge.
  process.env["NEXTAUTH_URL"] = publicUrl.origin;
}
