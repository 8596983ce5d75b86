import { RecordSkeleton } from "@/components/record-skeleton";

export default function LoadingPerson() {
  return <RecordSkeleton />;
}
