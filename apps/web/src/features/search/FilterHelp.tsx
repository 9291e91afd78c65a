import { FILTERS, OPERATORS, withFilter } from "./filters";
import styles from "./SearchPage.module.css";

interface FilterHelpProps {
  text: string;
  onChange: (text: string) => void;
}

/** What can be written in a query, before one is. */
export function FilterHelp({ text, onChange }: FilterHelpProps) {
  return (
    <section className={styles.help} aria-labelledby="filter-help">
      <p>
        Titles, authors, tags, the whole text of everything you can read, your highlights and your
        notes. Accents and capitals do not matter.
      </p>
      <h2 id="filter-help">Narrow your search</h2>
      <dl>
        {FILTERS.map(({ name, example, words }) => (
          <div key={name}>
            <dt>
              <button
                type="button"
                className={styles.chip}
                aria-label={`Add ${name}`}
                onClick={() => onChange(withFilter(text, name))}
              >
                {example}
              </button>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
        {OPERATORS.map(([example, words]) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
