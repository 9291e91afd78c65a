import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api/errors";
import { errorWords } from "../../api/errorWords";
import { deleteTag, renameTag } from "../../api/tags";
import type { Tag } from "../../api/types";
import { refreshItems } from "../../shared/itemCache";
import { TAGS_KEY } from "../../shared/tags";
import { offerUndo } from "../../shared/undo";
import { showToast } from "../../ui/toasts";

/** Renames a tag, or makes one of it and the tag that has the name already. */
export function useRenameTag(tag: Tag, onRenamed: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name }: { name: string; merges: boolean }) => renameTag(tag.name, name),
    onSuccess: (renamed, { merges }) => {
      onRenamed();
      replaceTag(client, tag.name, renamed);
      const from = tag.name;
      if (merges) showToast(`“${from}” was merged into “${renamed.name}”.`);
      else
        offerUndo(`“${from}” is now “${renamed.name}”.`, () => void nameBack(renamed.name, from));
    },
  });

  async function nameBack(name: string, before: string): Promise<void> {
    try {
      replaceTag(client, name, await renameTag(name, before));
    } catch (error) {
      showToast(`The tag could not be renamed back: ${errorWords(error)}`, "error");
      refreshItems(client);
    }
  }
}

/** Deletes a tag. One that is gone already counts as deleted. */
export function useDeleteTag(tag: Tag, onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await deleteTag(tag.name);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "E_TAG_NOT_FOUND")) throw error;
      }
    },
    onSuccess: () => {
      onDeleted();
      replaceTag(client, tag.name, null);
      showToast(`The tag “${tag.name}” was deleted.`);
    },
  });
}

/** Shows a changed tag at once; the items that have it are loaded again. */
function replaceTag(client: QueryClient, name: string, tag: Tag | null): void {
  client.setQueryData<Tag[]>(TAGS_KEY, (tags) =>
    tags?.flatMap((one) => {
      if (one.name === name) return tag ? [tag] : [];
      return one.name === tag?.name ? [] : [one];
    }),
  );
  refreshItems(client);
}
