export type SignInOutcome = "done" | "wrong" | "too-many" | "failed";

async function postAuth(path: string, fields: Record<string, string>): Promise<Response> {
  const token: { csrfToken: string } = await (await fetch("/api/auth/csrf")).json();
  return fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, csrfToken: token.csrfToken, json: "true" }),
  });
}

/** next-auth answers 401 to every refusal; which one stands in the address it would lead to. */
async function readOutcome(response: Response): Promise<SignInOutcome> {
  if (response.ok) return "done";
  if (response.status !== 401) return "failed";
  const { url }: { url: string } = await response.json();
  const error = new URL(url, window.location.origin).searchParams.get("error");
  if (error === "too-many" || error === "failed") return error;
  return "wrong";
}

/** Asks for a session from the browser; the answer sets its cookie. Never throws. */
export function signIn(email: string, password: string): Promise<SignInOutcome> {
  const sent = postAuth("callback/credentials", { email, password, callbackUrl: "/" });
  return sent.then(readOutcome).catch((): SignInOutcome => "failed");
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await postAuth("signout", { callbackUrl: "/sign-in" });
}
