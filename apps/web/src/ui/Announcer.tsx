import { useSyncExternalStore } from "react";
import { currentAnnouncements, onAnnouncementsChange } from "./announce";

/** The place screen readers hear announcements from. */
export function Announcer() {
  const announcements = useSyncExternalStore(onAnnouncementsChange, currentAnnouncements);
  return (
    <div className="visually-hidden" role="log" aria-label="Changes">
      {announcements.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
