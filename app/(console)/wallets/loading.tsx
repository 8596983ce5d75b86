import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingWallets() {
  return <ListSkeleton />;
}
