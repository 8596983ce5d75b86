import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingAccounts() {
  return <ListSkeleton hasToolbar={false} />;
}
