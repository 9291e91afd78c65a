// Reads an OpenAPI document and writes its shapes and limits as TypeScript into a folder.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";

const [folder] = process.argv.slice(2);
const document = JSON.parse(readFileSync(0, "utf8"));
const header = "// Written by scripts/generate-api-types. Do not edit.\n\n";

// A default is what the server takes for a field that was left out, so it may be left out.
const types = await openapiTS(document, { defaultNonNullable: false });
const limits = JSON.stringify(document["x-limits"], null, 2);

writeFileSync(join(folder, "schema.ts"), header + astToString(types));
writeFileSync(join(folder, "limits.ts"), `${header}export const LIMITS = ${limits} as const;\n`);
