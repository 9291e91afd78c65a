import { Folder, Highlighter, Tag } from "lucide-react";
import type { ReactNode } from "react";
import type { ImportSample } from "../../api/imports";
import styles from "./Import.module.css";
import { counted } from "./words";

/** The first items of the file, so that one sees whether it was understood. */
export function Samples({ samples, all }: { samples: readonly ImportSample[]; all: number }) {
  const more = all - samples.length;
  return (
    <section className={styles.section} aria-labelledby="samples-heading">
      <h2 id="samples-heading">In this file</h2>
      <ul className={styles.samples}>
        {samples.map((sample, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is never changed.
          <li key={index} className={styles.sample}>
            <Sample sample={sample} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.soft}>and {counted(more, "more item", "more items")}</p>}
    </section>
  );
}

function Sample({ sample }: { sample: ImportSample }) {
  const { title, url, tags, folders, highlights } = sample;
  const name = title?.trim() || url || "Untitled";
  return (
    <>
      <p className={styles.sampleTitle} dir="auto">
        {name}
      </p>
      {url && url !== name && <p className={styles.address}>{url}</p>}
      {(tags.length > 0 || folders.length > 0 || highlights > 0) && (
        <p className={styles.facts}>
          {folders.map((folder) => (
            <Fact key={folder} icon={<Folder {...icon} />} label="Folder">
              {folder}
            </Fact>
          ))}
          {tags.map((tag) => (
            <Fact key={tag} icon={<Tag {...icon} />} label="Tag">
              {tag}
            </Fact>
          ))}
          {highlights > 0 && (
            <Fact icon={<Highlighter {...icon} />}>{counted(highlights, "highlight")}</Fact>
          )}
        </p>
      )}
    </>
  );
}

interface FactProps {
  icon: ReactNode;
  label?: string;
  children: ReactNode;
}

function Fact({ icon: shown, label, children }: FactProps) {
  return (
    <span className={styles.fact}>
      {shown}
      {label && <span className="visually-hidden">{label}: </span>}
      <bdi>{children}</bdi>
    </span>
  );
}

const icon = { size: 14, "aria-hidden": true } as const;
