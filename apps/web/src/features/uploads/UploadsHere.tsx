import { lazy, Suspense, useSyncExternalStore } from "react";
import { currentUploads, onUploadsChange } from "./uploadStore";

const UploadPanel = lazy(async () => ({ default: (await import("./UploadPanel")).UploadPanel }));

/** The uploads of this page, once there are any. */
export function UploadsHere() {
  const { jobs, refused } = useSyncExternalStore(onUploadsChange, currentUploads);
  if (jobs.length + refused.length === 0) return null;
  return (
    <Suspense>
      <UploadPanel />
    </Suspense>
  );
}
