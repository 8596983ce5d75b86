import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingAccounts() {
  return <ListSkeleton hasToolbar={false} />;
}
