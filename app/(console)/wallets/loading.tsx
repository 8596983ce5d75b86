import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingWallets() {
  return <ListSkeleton columns={["4rem", "10rem", "5rem", "5rem", "12rem", "5rem"]} />;
}
