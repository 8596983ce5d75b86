/** What setting an authenticator app up shows. `path` draws the dark modules of a QR code in a square of `size` units. */
export type Enrolment = { secret: string; size: number; path: string };
