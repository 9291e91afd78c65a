import { useState } from "react";
import { imagePath } from "../../shared/imagePath";
import styles from "./Items.module.css";

/** The picture of an item, in a box that keeps its size whether the picture comes or not. */
export function Thumbnail({ address }: { address: string | null }) {
  const [broken, setBroken] = useState(false);
  const path = imagePath(address);
  if (!path) return null;
  return (
    <span className={styles.thumbnail} data-broken={broken || undefined}>
      <img
        src={path}
        alt=""
        width={96}
        height={64}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(true)}
      />
    </span>
  );
}
