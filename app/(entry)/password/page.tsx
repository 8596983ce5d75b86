import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/app/client-messages";
import { getScope } from "@/lib/auth/queries";
import { sendsMail } from "@/lib/staff/queries";
import { PasswordPanel } from "./password-panel";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("password"))("title") };
}

/** The token is behind the `#`. */
export default async function PasswordPage() {
  const isSignedIn = (await getScope()) !== null;
  return (
    <ClientMessages of="app/(entry)/password/page">
      <PasswordPanel sendsMail={sendsMail()} isSignedIn={isSignedIn} />
    </ClientMessages>
  );
}
