import { RecordSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingProposal() {
  return <RecordSkeleton />;
}
