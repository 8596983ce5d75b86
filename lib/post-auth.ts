/** Posts a form to the routes of the sign-in, with their token against forgery. */
export async function postAuth(path: string, fields: Record<string, string>): Promise<Response> {
  const token: { csrfToken: string } = await (await fetch("/api/auth/csrf")).json();
  return fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, csrfToken: token.csrfToken, json: "true" }),
  });
}
