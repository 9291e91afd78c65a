import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";
import { Redirect, Route, Router, Switch, useLocation, useParams, useSearch } from "wouter";
import { isReachable, onReachableChange } from "../api/connection";
import { ListSlotsContext } from "../features/items/slots";
import { NotFoundPage } from "../shared/NotFoundPage";
import { paths } from "../shared/paths";
import { goTo } from "../shared/places";
import { currentPlace, placeFromSearch, withReturn } from "../shared/returnTo";
import { type SessionEnd, sessionQuery, UserProvider } from "../shared/session";
import { VIEWS } from "../shared/views";
import { Logo } from "../ui/Logo";
import { ErrorState } from "../ui/States";
import { ErrorBoundary } from "./ErrorBoundary";
import { ListRoute } from "./ListRoute";
import { MENU_SLOTS } from "./menuSlots";
import { Opening } from "./Opening";
import { ReadRoute } from "./ReadRoute";
import { Shell } from "./Shell";
import styles from "./Shell.module.css";

// Views come in their own files, so that nobody loads what they do not open.
const LoginPage = lazy(async () => ({
  default: (await import("../features/auth/LoginPage")).LoginPage,
}));
const SignupPage = lazy(async () => ({
  default: (await import("../features/auth/SignupPage")).SignupPage,
}));
const HighlightsPage = lazy(async () => ({
  default: (await import("../features/highlights/HighlightsPage")).HighlightsPage,
}));
const SearchPage = lazy(async () => ({
  default: (await import("../features/search/SearchPage")).SearchPage,
}));
const SettingsPage = lazy(async () => ({
  default: (await import("../features/settings/SettingsPage")).SettingsPage,
}));
const ImportPage = lazy(async () => ({
  default: (await import("../features/imports/ImportPage")).ImportPage,
}));
const TagsPage = lazy(async () => ({
  default: (await import("../features/tags/TagsPage")).TagsPage,
}));
const ItemPage = lazy(async () => ({
  default: (await import("../features/items/ItemPage")).ItemPage,
}));

const LISTS = [...VIEWS.map(({ path }) => path), "/tags/:name", "/libraries/:id"];

const ASK_AGAIN_MS = 5_000;

/** The app; every step in it is followed, so that the way back is known. */
export function App() {
  return (
    <Router aroundNav={goTo}>
      <Gate />
    </Router>
  );
}

/** Decides who sees what: the session first, then the address. */
function Gate() {
  const reachable = useSyncExternalStore(onReachableChange, isReachable);
  const session = useQuery({
    ...sessionQuery(useQueryClient()),
    // While the server is away, this is how we notice that it is back.
    refetchInterval: reachable ? false : ASK_AGAIN_MS,
  });
  if (session.data?.user) {
    return (
      <UserProvider value={session.data.user}>
        <SignedIn />
      </UserProvider>
    );
  }
  if (session.data) {
    return (
      <Suspense fallback={<Starting />}>
        <SignedOut ended={session.data.ended} />
      </Suspense>
    );
  }
  if (session.isError) {
    return (
      <Startup>
        <ErrorState
          level={1}
          error={session.error}
          retrying={session.isFetching}
          onRetry={() => session.refetch()}
        />
      </Startup>
    );
  }
  return <Starting />;
}

function Starting() {
  return (
    <Startup>
      <p role="status">
        <Logo />
        <span className="visually-hidden"> is loading</span>
      </p>
    </Startup>
  );
}

function Startup({ children }: { children: ReactNode }) {
  return <main className={styles.startup}>{children}</main>;
}

function SignedIn() {
  const place = placeFromSearch(useSearch());
  const [location] = useLocation();
  return (
    <Switch>
      <Route path={paths.login}>
        <Redirect to={place} replace />
      </Route>
      <Route path={paths.signup}>
        <Redirect to={place} replace />
      </Route>
      <Route>
        <Shell>
          <ListSlotsContext value={MENU_SLOTS}>
            <ErrorBoundary view={location}>
              <Suspense fallback={<Opening />}>
                <Switch>
                  {LISTS.map((path) => (
                    <Route key={path} path={path} component={ListRoute} />
                  ))}
                  <Route path={paths.tags} component={TagsPage} />
                  <Route path="/library/:id" component={OldLibraryAddress} />
                  <Route path="/read/:mediaId" component={ReadRoute} />
                  <Route path={paths.search()} component={SearchPage} />
                  <Route path={paths.highlights} component={HighlightsPage} />
                  <Route path="/item/:id" component={ItemPage} />
                  <Route path="/import/:id?" component={ImportPage} />
                  <Route path={paths.settings} component={SettingsPage} />
                  <Route>
                    <NotFoundPage />
                  </Route>
                </Switch>
              </Suspense>
            </ErrorBoundary>
          </ListSlotsContext>
        </Shell>
      </Route>
    </Switch>
  );
}

/** Where libraries were until their address was changed; what people kept still leads there. */
function OldLibraryAddress() {
  const { id } = useParams<{ id: string }>();
  const { search, hash } = window.location;
  return <Redirect to={paths.library(id) + search + hash} replace />;
}

function SignedOut({ ended }: { ended: SessionEnd | undefined }) {
  const back = ended === "signed-out" ? paths.home : currentPlace();
  return (
    <Switch>
      <Route path={paths.login}>
        <LoginPage expired={ended === "expired"} />
      </Route>
      <Route path={paths.signup} component={SignupPage} />
      <Route>
        <Redirect to={withReturn(paths.login, back)} replace />
      </Route>
    </Switch>
  );
}
