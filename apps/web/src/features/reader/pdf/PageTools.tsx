import { Download, Minus, Plus, ZoomIn } from "lucide-react";
import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Media } from "../../../api/types";
import { useShortcuts } from "../../../shared/shortcuts";
import { Button, IconButton } from "../../../ui/Button";
import { Popover } from "../../../ui/Popover";
import { Choice } from "../../appearance/ReadingSettings";
import { useDownload } from "../../items/queries";
import styles from "./PageTools.module.css";
import type { Zoom } from "./pageLayout";
import { pageNamed } from "./pageNamed";
import { PAPERS, type PagePreferences } from "./pagePreferences";
import type { PagesText } from "./pagesText";

interface PageToolsProps {
  media: Media;
  pages: PagesText;
  preferences: PagePreferences;
  onChoose: (changes: Partial<PagePreferences>) => void;
}

const STEP = 1.2;
const FITS = ["width", "page", "other"] as const;
const FIT_NAMES = { width: "Width", page: "Page", other: "Other" };
const PAPER_NAMES = { themed: "With theme", printed: "As printed" };

/** What the bar has for pages: which one it is, and how large they are. */
export function PageTools({ media, pages, preferences, onChoose }: PageToolsProps) {
  const { page, factor, zoom } = usePageState(pages);
  const setZoom = useCallback(
    (next: Zoom) => {
      pages.setZoom(next);
      onChoose({ zoom: pages.stack.layout.zoom });
    },
    [pages, onChoose],
  );
  usePageKeys(pages, setZoom);
  const download = useDownload(media);
  const percent = `${Math.round(factor * 100)} %`;
  return (
    <>
      <PageField pages={pages} page={page} />
      <Popover label="Pages" icon={<ZoomIn size={20} aria-hidden="true" />}>
        {() => (
          <div className={styles.panel}>
            <div className={styles.zoom}>
              <IconButton label="Smaller" onClick={() => setZoom(factor / STEP)}>
                <Minus size={18} aria-hidden="true" />
              </IconButton>
              <output aria-label="Size">{percent}</output>
              <IconButton label="Larger" onClick={() => setZoom(factor * STEP)}>
                <Plus size={18} aria-hidden="true" />
              </IconButton>
            </div>
            <Choice
              label="Fit"
              choices={FITS}
              names={FIT_NAMES}
              chosen={typeof zoom === "number" ? "other" : zoom}
              onChoose={(fit) => setZoom(fit === "other" ? factor : fit)}
            />
            <Choice
              label="Paper"
              choices={PAPERS}
              names={PAPER_NAMES}
              chosen={preferences.paper}
              onChoose={(paper) => onChoose({ paper })}
            />
            <Button pending={download.isPending} onClick={() => download.mutate()}>
              <Download size={18} aria-hidden="true" />
              Download the file
            </Button>
          </div>
        )}
      </Popover>
    </>
  );
}

/** The page one is on, as a field that leads to others by number or label. */
function PageField({ pages, page }: { pages: PagesText; page: number }) {
  const { labels } = pages;
  const label = labels[page] ?? "";
  // From when the field is entered until it is left: the pages may still move underneath, and what
  // is selected must stay so, or what is typed would be put behind another number.
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const go = (event: FormEvent) => {
    event.preventDefault();
    const index = pageNamed(labels, typed ?? label);
    // There is no such page: to be typed again.
    if (index === null) return field.current?.select();
    setTyped(null);
    pages.goToPage(index);
    // So that keys are the reader's again.
    pages.root.focus({ preventScroll: true });
  };
  return (
    <form className={styles.field} onSubmit={go}>
      <input
        ref={field}
        aria-label={`Page, of ${labels.length}`}
        inputMode="numeric"
        value={typed ?? label}
        onFocus={({ currentTarget }) => {
          setTyped(label);
          currentTarget.select();
        }}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => setTyped(null)}
      />
      <span aria-hidden="true">/ {labels.length}</span>
    </form>
  );
}

interface PageState {
  page: number;
  factor: number;
  zoom: Zoom;
}

function usePageState(pages: PagesText): PageState {
  const [state, setState] = useState(() => stateOf(pages));
  useEffect(() => {
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        setState((old) => {
          const next = stateOf(pages);
          const same =
            old.page === next.page && old.factor === next.factor && old.zoom === next.zoom;
          return same ? old : next;
        }),
      );
    };
    look();
    const stop = pages.onChange(look);
    window.addEventListener("scroll", look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      stop();
      window.removeEventListener("scroll", look);
    };
  }, [pages]);
  return state;
}

function stateOf({ page, stack: { layout } }: PagesText): PageState {
  return { page, factor: layout.factor, zoom: layout.zoom };
}

function usePageKeys(pages: PagesText, setZoom: (zoom: Zoom) => void): void {
  const shortcuts = useMemo(() => {
    const key = (keys: string[], label: string, run: () => void, shown: string) => ({
      keys,
      label,
      group: "Pages",
      run,
      shown,
    });
    const { layout } = pages.stack;
    return [
      key(["+", "="], "Larger", () => setZoom(layout.factor * STEP), "+"),
      key(["-"], "Smaller", () => setZoom(layout.factor / STEP), "-"),
      key(["0"], "Fit the width", () => setZoom("width"), "0"),
      key(["]"], "Next page", () => pages.goToPage(pages.page + 1), "]"),
      key(["["], "Previous page", () => pages.goToPage(pages.page - 1), "["),
    ];
  }, [pages, setZoom]);
  useShortcuts(shortcuts);
}
