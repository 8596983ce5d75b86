import "server-only";
import { cookies } from "next/headers";
import { env } from "@/lib/env";
import { readStepWay, STEP_LASTS_MS } from "./sign-in-step";

const isSecure = () => env().publicUrl.protocol === "https:";
const cookieName = () => (isSecure() ? "__Host-retaguarda-sign-in" : "retaguarda-sign-in");

/** Lets the browser keep, for a few minutes and out of reach of scripts, that its first step was right. */
export async function keepStep(id: string): Promise<void> {
  const options = {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: isSecure(),
    maxAge: STEP_LASTS_MS / 1000,
  } as const;
  (await cookies()).set(cookieName(), id, options);
}

export async function readStep(): Promise<string | null> {
  return (await cookies()).get(cookieName())?.value ?? null;
}

export async function forgetStep(): Promise<void> {
  (await cookies()).set(cookieName(), "", { path: "/", secure: isSecure(), maxAge: 0 });
}

/** Whether this browser's next step is a code, or a passkey as well; null for the password. */
export async function secondStepWay(): Promise<"code" | "passkey" | null> {
  const id = await readStep();
  return id === null ? null : readStepWay(id);
}
