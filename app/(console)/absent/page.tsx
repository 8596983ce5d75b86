import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { screen } from "@/app/(console)/screen";
import { NotFoundView } from "@/components/table/empty-view";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("absent"))("notFoundTitle") };
}

export default screen("app/(console)/absent/page", async () => <NotFoundView />);
