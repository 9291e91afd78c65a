import type { AroundNavHandler } from "wouter";
import { currentPlace } from "./returnTo";

// Every entry of the tab's history carries a step: how many views of this app lie before it, and
// which one was left last. With it, an arrow knows whether "back" stays in the app. What a view
// needs to look as it did is kept under the step's id, and survives loading the page again.

export interface Step {
  id: string;
  /** How many views of the app lie before this one in the history. */
  depth: number;
  /** The place one came from; null for the first. */
  from: string | null;
  /** How many places of the same view lie before this one. */
  inside?: number;
}

/** A place in a text, wherever its lines break. */
export interface TextPlace {
  offset: number;
  /** How far down the window its line was. */
  top: number;
  /** Which of the text's links was followed from there. */
  link?: number;
}

/** How a view was left. */
export interface LeftView {
  /** How far it was scrolled; missing until one goes away from it. */
  scroll?: number;
  /** The place that was opened from it. */
  opened?: string;
  /** How a long list was left, which knows more than how far it was scrolled. */
  list?: LeftList;
}

/** What was loaded of a list, how high its rows are, and which one to come back to. */
export interface LeftList {
  /** Names the list: the same view may have been narrowed otherwise since. */
  name: string;
  pages: { cursor: string | null; size: number }[];
  next: string | null;
  /** How wide the window was when the rows were measured. */
  width: number;
  /** The height of each row; 0 where it was never drawn. */
  heights: number[];
  scroll: number;
  row: RowPlace | null;
}

/** A row of a list, and how far down the window it was. */
export interface RowPlace {
  key: string;
  index: number;
  top: number;
}

const KEY = "nexus.places";
const MAX_KEPT = 60;
const OUTSIDE: Step = { id: "", depth: 0, from: null };

let left = new Map<string, LeftView>();
const leaving = new Set<() => void>();
// The step on screen. In a popstate event the browser already tells the next one.
let shown: Step | null = null;

/** The step of the view on screen; that of somebody who just came, for an entry not made here. */
export function currentStep(): Step {
  return stepOf(window.history.state) ?? OUTSIDE;
}

/** Follows the history from now on; call it once, before the first view is drawn. */
export function followPlaces(): () => void {
  left = readLeft();
  shown = markEntry();
  // Where a view was is known only once its list is drawn, so the browser would come too early.
  window.history.scrollRestoration = "manual";
  const listeners = { popstate: onPop, pagehide: store } as const;
  for (const [type, listener] of Object.entries(listeners)) window.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of Object.entries(listeners)) {
      window.removeEventListener(type, listener);
    }
  };
}

/** Every navigation of the app goes through here; hand it to the router. */
export const goTo: AroundNavHandler = (navigate, to, options) => {
  const step = currentStep();
  if (options?.replace) {
    // A list that is narrowed stays the same view; another path is another one in its place.
    const same = new URL(to, window.location.href).pathname === window.location.pathname;
    shown = same ? step : { ...step, id: newId() };
  } else {
    keepView({ scroll: window.scrollY, opened: to });
    shown = { id: newId(), depth: step.depth + 1, from: currentPlace() };
  }
  navigate(to, { replace: options?.replace ?? false, state: withStep(shown) });
};

/** Steps from one place of a text to another: the same view, with the way back in the history. */
export function stepInside(here: TextPlace, there: TextPlace): void {
  const step = currentStep();
  keepPlace(here);
  shown = { ...step, inside: (step.inside ?? 0) + 1 };
  window.history.pushState({ ...withStep(shown), place: there }, "", currentPlace());
}

/** Remembers the place in the text for the entry of the history that is shown. */
export function keepPlace(place: TextPlace): void {
  window.history.replaceState({ ...window.history.state, place }, "", currentPlace());
}

/** The place in the text that the entry of the history remembers. */
export function placeInside(): TextPlace | null {
  const place = (window.history.state as { place?: TextPlace } | null)?.place;
  return typeof place?.offset === "number" && typeof place.top === "number" ? place : null;
}

/** Remembers something about the view on screen, or about one that just left it. */
export function keepView(more: LeftView, id = shown?.id): void {
  if (!id) return;
  const before = left.get(id);
  // Put at the end, so that the oldest are the first to go.
  left.delete(id);
  left.set(id, { ...before, ...more });
  for (const oldest of [...left.keys()].slice(0, -MAX_KEPT)) left.delete(oldest);
}

/** Calls back when the page is about to go, in time to keep something. Returns how to stop. */
export function beforePageGoes(listener: () => void): () => void {
  leaving.add(listener);
  return () => leaving.delete(listener);
}

/** How the view of a step was left, if it was ever on screen before. */
export function leftView(id: string): LeftView | undefined {
  return left.get(id);
}

function onPop(): void {
  keepView({ scroll: window.scrollY });
  shown = markEntry();
}

/** Gives an entry that came from outside, by a link or an edited address, a step of its own. */
function markEntry(): Step {
  const step = stepOf(window.history.state);
  if (step) return step;
  const first = { ...OUTSIDE, id: newId() };
  window.history.replaceState(withStep(first), "", currentPlace());
  return first;
}

function store(): void {
  for (const listener of leaving) listener();
  keepView({ scroll: window.scrollY });
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...left]));
  } catch {
    // Without storage, a page loaded again begins at its top.
  }
}

function readLeft(): Map<string, LeftView> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));
  } catch {
    return new Map();
  }
}

function stepOf(state: unknown): Step | null {
  const step = (state as { nexus?: Step } | null)?.nexus;
  return step && typeof step.id === "string" && typeof step.depth === "number" ? step : null;
}

function withStep(step: Step): { nexus: Step } {
  return { nexus: step };
}

function newId(): string {
  return Math.random().toString(36).slice(2, 12);
}
