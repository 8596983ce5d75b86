// Apart from the ways in: every screen has the way out.
import { postAuth } from "./view";

/** Ends the session of this browser; false when the server did not say that it has ended. */
async function signOut(): Promise<boolean> {
  const [sent] = await Promise.allSettled([postAuth("signout", { callbackUrl: "/sign-in" })]);
  return sent.status === "fulfilled" && sent.value.ok;
}

/**
 * Ends the session, tells the other tabs, and leaves with a whole page load: nothing of it stays in memory. False when the
 * session could not be ended: nobody may go believing that it was.
 */
export async function leave(announceEnd: () => void): Promise<boolean> {
  if (!(await signOut())) return false;
  announceEnd();
  window.location.assign("/sign-in");
  return true;
}
