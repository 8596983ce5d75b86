import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingOutcomes() {
  return <ListSkeleton />;
}
