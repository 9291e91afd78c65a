import { PencilLine, Trash2 } from "lucide-react";
import type { Library } from "../../api/types";
import { Menu } from "../../ui/Menu";

interface LibraryMenuProps {
  library: Library;
  onRename: () => void;
  onDelete: () => void;
}

/** What can be done to a library, the same in the sidebar and on its page. */
export function LibraryMenu({ library, onRename, onDelete }: LibraryMenuProps) {
  return (
    <Menu
      label={`Actions for ${library.name}`}
      items={[
        { label: "Rename", icon: <PencilLine size={16} aria-hidden="true" />, onSelect: onRename },
        {
          label: "Delete…",
          icon: <Trash2 size={16} aria-hidden="true" />,
          danger: true,
          onSelect: onDelete,
        },
      ]}
    />
  );
}
