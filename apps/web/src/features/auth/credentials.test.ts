import { describe, expect, it } from "vitest";
import { ApiError } from "../../api/errors";
import { type AuthMode, checkCredentials, placeError } from "./credentials";

describe("checkCredentials", () => {
  const good = { email: "ada@example.org", password: "correct horse" };

  it.each<[AuthMode, Partial<typeof good>, string[]]>([
    ["signup", {}, []],
    ["signup", { password: "123456789" }, ["password"]],
    ["signup", { password: "1234567890" }, []],
    ["signup", { password: "📚".repeat(9) }, ["password"]],
    ["signup", { password: "📚".repeat(10) }, []],
    ["login", { password: "short" }, []],
    ["login", { password: "" }, ["password"]],
    ["login", { email: "" }, ["email"]],
    ["login", { email: "ada" }, ["email"]],
    ["login", { email: "ada @example.org" }, ["email"]],
    ["signup", { email: "", password: "" }, ["email", "password"]],
  ])("%s with %j finds fault with %j", (mode, change, fields) => {
    expect(Object.keys(checkCredentials({ ...good, ...change }, mode))).toEqual(fields);
  });
});

describe("placeError", () => {
  it.each([
    ["E_INVALID_REQUEST", 400, "form"],
    ["E_SIGNUP_REFUSED", 409, "email"],
    ["E_WEAK_PASSWORD", 400, "password"],
    ["E_INVALID_CREDENTIALS", 401, "form"],
    ["E_SIGNUP_CLOSED", 403, "form"],
    ["E_RATE_LIMITED", 429, "form"],
    ["E_NETWORK", 0, "form"],
    ["E_NEVER_HEARD_OF", 418, "form"],
  ])("%s goes to the right place", (code, status, place) => {
    const errors = placeError(new ApiError({ code, status, message: "from the server" }));
    expect(Object.keys(errors)).toEqual([place]);
    expect(Object.values(errors)[0]).not.toBe("");
  });

  it("shows what is wrong with the address beside it", () => {
    const message = "email: this is not an e-mail address";
    const error = new ApiError({ code: "E_INVALID_REQUEST", status: 400, message });
    expect(placeError(error)).toEqual({ email: "This is not an e-mail address." });
  });

  it("shows the server's words for a code it does not know", () => {
    const error = new ApiError({ code: "E_X", status: 400, message: "Full moon." });
    expect(placeError(error)).toEqual({ form: "Full moon." });
  });
});
