import { Component, type ReactNode } from "react";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/States";

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Which view this is around; another one is worth another try. */
  view?: string;
}

/**
 * Catches a fault in the app itself, so that it never ends in a blank page. Around a view, the rest
 * of the app goes on working: what waits to be sent is sent.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.failed && before.view !== this.props.view) this.setState({ failed: false });
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const message = (
      <EmptyState level={1} title="Something broke on this page">
        <p>Nothing you saved is lost. Reloading usually helps.</p>
        <Button look="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </EmptyState>
    );
    return this.props.view === undefined ? <main>{message}</main> : message;
  }
}
