import { Component, type ReactNode } from "react";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/States";

/** Catches a fault in the app itself, so that it never ends in a blank page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main>
        <EmptyState level={1} title="Something broke on this page">
          <p>Nothing you saved is lost. Reloading usually helps.</p>
          <Button look="primary" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </EmptyState>
      </main>
    );
  }
}
