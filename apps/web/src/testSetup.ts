import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { PATIENCE_MS } from "./testWaiting";

// A waiting test ends when its condition holds.
configure({ asyncUtilTimeout: PATIENCE_MS });

afterEach(cleanup);
