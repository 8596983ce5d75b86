import { env } from "@/lib/settings/env";
import { securityTxt } from "@/lib/settings/security-contact";

export const dynamic = "force-dynamic";

export function GET(): Response {
  const { securityContact, publicUrl } = env();
  if (securityContact === null) return new Response(null, { status: 404 });
  return new Response(securityTxt(securityContact, { publicUrl, now: new Date() }), {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
