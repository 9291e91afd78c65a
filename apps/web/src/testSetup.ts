import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// A waiting test ends when its condition holds; the limit only matters on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

afterEach(cleanup);
