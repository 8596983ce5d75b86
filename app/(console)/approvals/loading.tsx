import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingInbox() {
  return <ListSkeleton />;
}
