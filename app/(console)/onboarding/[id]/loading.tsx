import { RecordSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingRecord() {
  return <RecordSkeleton />;
}
