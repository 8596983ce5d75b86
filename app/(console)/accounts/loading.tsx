import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingAccounts() {
  return <ListSkeleton hasToolbar={false} columns={["9rem", "4rem", "7rem", "8rem"]} />;
}
