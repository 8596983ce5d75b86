import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingQueue() {
  return <ListSkeleton columns={["6rem", "9rem", "6rem", "7rem", "4rem", "7rem", "3rem", "3rem"]} />;
}
