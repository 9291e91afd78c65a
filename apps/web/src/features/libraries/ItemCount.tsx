import styles from "./Sidebar.module.css";

/** How many items there are behind a link of the sidebar. */
export function ItemCount({ count }: { count: number }) {
  return (
    <span className={styles.count}>
      {count.toLocaleString("en")}
      <span className="visually-hidden">{count === 1 ? " item" : " items"}</span>
    </span>
  );
}
