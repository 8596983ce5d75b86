import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingCalls() {
  return <ListSkeleton />;
}
