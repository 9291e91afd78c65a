import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { ErrorBoundary } from "./app/ErrorBoundary";
import { openEarly } from "./app/openEarly";
import { createQueryClient } from "./app/queryClient";
import { followPlaces } from "./shared/places";
import "./styles/base.css";
import { Toaster } from "./ui/Toaster";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

const client = createQueryClient();
openEarly(client);
followPlaces();
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <QueryClientProvider client={client}>
        <App />
        <Toaster />
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>,
);
