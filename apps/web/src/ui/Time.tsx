import { useNow } from "./clock";
import { relativeTime } from "./relativeTime";

const full = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" });

/**
 * A moment as people say it ("3 days ago"), with the exact one on hover. One ahead of us is just
 * now: the clocks of server and device differ.
 */
export function Time({ at }: { at: string }) {
  const now = useNow();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={at} title={full.format(date)}>
      {relativeTime(date, date > now ? date : now)}
    </time>
  );
}
