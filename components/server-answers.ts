import { SIGNED_OUT } from "./use-read";

const PATIENCE_MS = 5_000;

/** What stands in between, such as a hotel's sign-in page or a gateway, answers with pages of its own. */
const isOurs = ({ ok, status, headers }: Response) =>
  (ok || status === SIGNED_OUT) && (headers.get("content-type") ?? "").startsWith("application/json");

/** Whether the console's server can be reached from this window now. */
export async function serverAnswers(): Promise<boolean> {
  if (!navigator.onLine) return false;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const [asked] = await Promise.allSettled([fetch("/api/desk", { cache: "no-store", signal })]);
  return asked.status === "fulfilled" && isOurs(asked.value);
}
