import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { TAGS_KEY } from "../../shared/tags";
import { TagDialog } from "./TagDialog";

const onSave = vi.fn();
const onClose = vi.fn();

beforeEach(() => {
  onSave.mockReset();
  onClose.mockReset();
});

function open(...tags: string[][]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const known = ["AI", "history", "natural history"].map((name) => ({ name, count: 1 }));
  client.setQueryData(TAGS_KEY, known);
  const items = tags.map((one) => ({ tags: one }));
  render(
    <QueryClientProvider client={client}>
      <TagDialog items={items} what="Something" onSave={onSave} onClose={onClose} />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const field = () => screen.getByRole("combobox", { name: "Add tags" });
const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);
const chips = () => {
  const list = screen.queryByRole("list", { name: "Chosen tags" });
  return list
    ? within(list)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent)
    : [];
};

it("adds with Enter and with a comma, in the spelling that is known, and saves with Enter", async () => {
  const user = open([]);
  expect(document.activeElement).toBe(field());
  await user.keyboard("ai{Enter}deep sea,");
  expect(chips()).toEqual(["AI", "deep sea"]);
  expect(onSave).not.toHaveBeenCalled();
  await user.keyboard("{Enter}");
  expect(onSave).toHaveBeenCalledWith({ addTags: ["AI", "deep sea"], removeTags: [] });
  expect(onClose).toHaveBeenCalledOnce();
});

it("completes: the arrows choose among the tags that fit, and a new one", async () => {
  const user = open([]);
  await user.keyboard("hist");
  expect(options()).toEqual(["history", "natural history", "Create “hist”"]);
  expect(field().getAttribute("aria-activedescendant")).toBeNull();
  await user.keyboard("{ArrowDown}{ArrowDown}");
  const active = screen.getByRole("option", { selected: true });
  expect(active.textContent).toBe("natural history");
  expect(field().getAttribute("aria-activedescendant")).toBe(active.id);
  await user.keyboard("{Enter}");
  expect(chips()).toEqual(["natural history"]);
  expect(options()).toEqual(["AI", "history"]);
});

it("takes the last one away with Backspace, and any by its button", async () => {
  const user = open(["a", "b", "c"]);
  await user.keyboard("x{Backspace}{Backspace}");
  expect(chips()).toEqual(["a", "b"]);
  await user.click(screen.getByRole("button", { name: "Remove a" }));
  expect(document.activeElement).toBe(field());
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(onSave).toHaveBeenCalledWith({ addTags: [], removeTags: ["a", "c"] });
});

it("saves what was typed and not added", async () => {
  const user = open([]);
  await user.keyboard("late");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(onSave).toHaveBeenCalledWith({ addTags: ["late"], removeTags: [] });
});

it("says what is wrong with a name, and does not save it", async () => {
  const user = open([]);
  await user.keyboard('a"b{Enter}');
  expect(chips()).toEqual([]);
  expect(screen.getByText(/no comma and no quotation mark/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(onSave).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
});

it("takes a pasted list apart", async () => {
  const user = open([]);
  await user.paste("one, two,,three");
  expect(chips()).toEqual(["one", "two"]);
  expect(field()).toHaveProperty("value", "three");
});

it("changes nothing when nothing was changed, or when it is closed", async () => {
  const user = open(["a"]);
  await user.keyboard("{Enter}");
  expect(onSave).not.toHaveBeenCalled();
  expect(onClose).toHaveBeenCalledOnce();
});

it("shows which tags only some of the items have, and gives them to all", async () => {
  const user = open(["a", "b"], ["a"], ["a"]);
  expect(chips()).toEqual(["a", "b1 of 3"]);
  await user.click(screen.getByRole("button", { name: "Add b to all" }));
  await user.click(screen.getByRole("button", { name: "Remove a" }));
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(onSave).toHaveBeenCalledWith({ addTags: ["b"], removeTags: ["a"] });
});
