import { wordFile } from "@/lib/preferences/word-files";
import { loadMessages } from "@/lib/preferences/request";
import { LOCALES } from "@/lib/text/format";

const headers = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "public, max-age=31536000, immutable",
};

type Asked = { params: Promise<{ locale: string; name: string }> };

export async function GET(_request: Request, { params }: Asked): Promise<Response> {
  const { locale, name } = await params;
  const known = LOCALES.find((one) => one === locale);
  const text = known === undefined ? null : wordFile(await loadMessages(known), name);
  return text === null ? new Response(null, { status: 404 }) : new Response(text, { headers });
}
