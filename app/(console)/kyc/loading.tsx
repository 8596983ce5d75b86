import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingQueue() {
  return <ListSkeleton />;
}
