import type { PasswordFault } from "@/lib/auth/password";

export type PasswordChange = { current: string; next: string };

/** What came of it; "none" for who signs in elsewhere and has no password here. */
export type ChangeOutcome = "done" | "wrong" | "none" | "same" | PasswordFault | { waitMs: number };
