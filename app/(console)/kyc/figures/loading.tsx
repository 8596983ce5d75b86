import { RecordSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingFigures() {
  return <RecordSkeleton />;
}
