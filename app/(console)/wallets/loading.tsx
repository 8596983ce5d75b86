import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingWallets() {
  return <ListSkeleton />;
}
