import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingWebhooks() {
  return <ListSkeleton />;
}
