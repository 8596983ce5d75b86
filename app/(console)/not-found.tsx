import { NotFoundView } from "@/components/not-found-view";

export default function RecordNotFound() {
  return <NotFoundView />;
}
