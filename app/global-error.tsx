"use client";

import { readDigest } from "@/lib/errors/result";
import "./globals.css";

/** No messages are available here: both languages, one button. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  const { reference } = readDigest(error);
  return (
    <html lang="pt-BR">
      <body>
        <title>Retaguarda</title>
        <main className="mx-auto max-w-md space-y-3 px-6 py-24 text-center">
          <h1 className="text-lg font-semibold">O Retaguarda não pôde abrir</h1>
          <p className="text-muted">Algo deu errado do nosso lado. Tente de novo em instantes.</p>
          <p lang="en" className="text-muted">
            Retaguarda could not open. Something went wrong on our side; try again in a moment.
          </p>
          {reference ? <p className="font-mono text-sm text-muted">{reference}</p> : null}
          <button
            type="button"
            onClick={retry}
            className="h-9 rounded bg-accent px-4 font-medium text-accent-ink hover:bg-accent-strong"
          >
            Tentar de novo · <span lang="en">Try again</span>
          </button>
        </main>
      </body>
    </html>
  );
}
