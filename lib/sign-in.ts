export type SignInOutcome = "done" | "wrong" | "too-many" | "failed";

async function postAuth(path: string, fields: Record<string, string>): Promise<Response> {
  const token: { csrfToken: string } = await (await fetch("/api/auth/csrf")).json();
  return fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, csrfToken: token.csrfToken, json: "true" }),
  });
}

/** Asks for a session from the browser; the answer sets its cookie. Never throws. */
export function signIn(email: string, password: string): Promise<SignInOutcome> {
  const sent = postAuth("callback/credentials", { email, password, callbackUrl: "/" });
  return sent.then(
    (response): SignInOutcome => {
      if (response.ok) return "done";
      if (response.status === 401) return "wrong";
      return response.status === 429 ? "too-many" : "failed";
    },
    () => "failed",
  );
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await postAuth("signout", { callbackUrl: "/sign-in" });
}
