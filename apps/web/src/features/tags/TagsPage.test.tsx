import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { forgetUndo, undoLast } from "../../shared/undo";
import { TagsPage } from "./TagsPage";

let tags: { name: string; count: number }[];
let sent: unknown[];

beforeEach(() => {
  forgetUndo();
  sent = [];
  tags = [
    { name: "AI", count: 3 },
    { name: "sea/deep", count: 1 },
  ];
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
    if (method === "GET") return Response.json({ data: { tags } });
    sent.push([method, path, body ? JSON.parse(String(body)) : null]);
    const name = decodeURIComponent(path.replace("/api/tags/", ""));
    const old = tags.find((tag) => tag.name === name);
    tags = tags.filter((tag) => tag !== old);
    if (method === "DELETE") return new Response(null, { status: 204 });
    const renamed = { name: JSON.parse(String(body)).name, count: old?.count ?? 0 };
    tags = [...tags.filter((tag) => tag.name !== renamed.name), renamed];
    return Response.json({ data: renamed });
  });
});

async function open() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TagsPage />
    </QueryClientProvider>,
  );
  await screen.findByRole("link", { name: "AI" });
  return userEvent.setup();
}

const names = () =>
  within(screen.getByRole("list", { name: "Tags" }))
    .getAllByRole("link")
    .map((link) => link.textContent);

async function rename(user: Awaited<ReturnType<typeof open>>, tag: string, name: string) {
  await user.click(screen.getByRole("button", { name: `Rename ${tag}` }));
  const field = screen.getByRole("textbox", { name: `New name for ${tag}` });
  await user.clear(field);
  await user.type(field, `${name}{Enter}`);
}

it("renames a tag, also only its spelling, and takes that back", async () => {
  const user = await open();
  await rename(user, "AI", "ai");
  await waitFor(() => expect(names()).toContain("ai"));
  undoLast();
  await waitFor(() => expect(names()).toContain("AI"));
  expect(sent).toEqual([
    ["PATCH", "/api/tags/AI", { name: "ai" }],
    ["PATCH", "/api/tags/ai", { name: "AI" }],
  ]);
});

it("asks before it makes one of two", async () => {
  const user = await open();
  await rename(user, "sea/deep", "ai");
  const question = await screen.findByRole("dialog", { name: "Merge “sea/deep” into “AI”?" });
  expect(sent).toEqual([]);
  await user.click(within(question).getByRole("button", { name: "Merge" }));
  await waitFor(() => expect(names()).toEqual(["AI"]));
  expect(sent).toEqual([["PATCH", "/api/tags/sea%2Fdeep", { name: "AI" }]]);
});

it("asks before it deletes a tag", async () => {
  const user = await open();
  await user.click(screen.getByRole("button", { name: "Delete AI" }));
  const question = await screen.findByRole("dialog", { name: "Delete the tag “AI”?" });
  expect(question.textContent).toContain("3 items");
  expect(sent).toEqual([]);
  await user.click(within(question).getByRole("button", { name: "Delete tag" }));
  await waitFor(() => expect(names()).toEqual(["sea/deep"]));
  expect(sent).toEqual([["DELETE", "/api/tags/AI", null]]);
});
