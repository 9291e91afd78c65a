import { useMemo } from "react";
import { useParams } from "wouter";
import { useTitle } from "../../ui/useTitle";
import { EmptyTag } from "./EmptyViews";
import styles from "./Items.module.css";
import { ItemsView } from "./ItemsView";

/** Everything that has a tag, archived or not. */
export function TagPage() {
  const { name } = useParams<{ name: string }>();
  const about = useMemo(() => ({ tags: [name] }), [name]);
  useTitle(name);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>
          <bdi>{name}</bdi>
        </h1>
      </header>
      <ItemsView
        key={name}
        about={about}
        label={`Items tagged ${name}`}
        empty={<EmptyTag name={name} />}
      />
    </div>
  );
}
