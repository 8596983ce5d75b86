import { RecordSkeleton } from "@/components/record-skeleton";

export default function LoadingRecord() {
  return <RecordSkeleton />;
}
