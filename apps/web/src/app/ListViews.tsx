import { Route, Switch } from "wouter";
import { LibraryPage } from "../features/items/LibraryPage";
import { type ListSlots, ListSlotsContext } from "../features/items/slots";
import { TagPage } from "../features/items/TagPage";
import { ViewPage } from "../features/items/ViewPage";
import { BulkActions } from "../features/triage/BulkActions";
import { RowMarks } from "../features/triage/RowMarks";
import { ListTriageKeys } from "../features/triage/TriageKeys";
import { VIEWS } from "../shared/views";
import { MENU_SLOTS } from "./menuSlots";

// What sorting out adds to every list.
const LIST_SLOTS: ListSlots = {
  ...MENU_SLOTS,
  BulkActions,
  RowActions: RowMarks,
  Keys: ListTriageKeys,
};

/** The lists of items: the views that everybody has, tags and libraries. */
export function ListViews() {
  return (
    <ListSlotsContext value={LIST_SLOTS}>
      <Switch>
        {VIEWS.map((view) => (
          <Route key={view.path} path={view.path}>
            <ViewPage key={view.path} view={view} />
          </Route>
        ))}
        <Route path="/tags/:name" component={TagPage} />
        <Route path="/libraries/:id" component={LibraryPage} />
      </Switch>
    </ListSlotsContext>
  );
}
