import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingRetention() {
  return <ListSkeleton />;
}
