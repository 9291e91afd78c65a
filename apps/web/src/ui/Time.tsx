import { relativeTime } from "./relativeTime";

const full = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" });

/** A moment as people say it ("3 days ago"), with the exact one on hover. */
export function Time({ at }: { at: string }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={at} title={full.format(date)}>
      {relativeTime(date)}
    </time>
  );
}
