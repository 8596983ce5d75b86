import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingOutcomes() {
  return <ListSkeleton />;
}
