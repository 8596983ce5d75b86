import { redirect } from "next/navigation";
import { type Desk, getDesk } from "@/lib/auth/queries";

/** The signed-in person's desk; nobody signed in goes to the sign-in screen. */
export async function requireDesk(): Promise<Desk> {
  const desk = await getDesk();
  if (!desk) redirect("/sign-in");
  return desk;
}
