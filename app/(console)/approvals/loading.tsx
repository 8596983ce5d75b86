import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingInbox() {
  return <ListSkeleton />;
}
