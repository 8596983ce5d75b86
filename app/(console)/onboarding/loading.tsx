import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingQueue() {
  return <ListSkeleton />;
}
