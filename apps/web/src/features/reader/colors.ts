/** The palette, in the order of the keys 1 to 5. The shades are in Highlights.css. */
export const COLORS = ["yellow", "green", "blue", "pink", "purple"] as const;

export type HighlightColor = (typeof COLORS)[number];
