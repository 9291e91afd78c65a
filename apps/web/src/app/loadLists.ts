export const loadLists = async () => (await import("./ListViews")).ListViews;
