// Reads an OpenAPI document and writes its shapes and limits as TypeScript.
import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const document = JSON.parse(readFileSync(0, "utf8"));
// A default is what the server takes for a field that was left out, so it may be left out.
const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
const limits = JSON.stringify(document["x-limits"], null, 2);

process.stdout.write(`// Written by make api-types. Do not edit.

/** What the server accepts; lengths count code points. */
export const LIMITS = ${limits} as const;

${types}`);
