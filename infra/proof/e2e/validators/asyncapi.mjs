// Parses an AsyncAPI document. Prints each error, and ends with status 1 if there is one.
import { readFileSync } from 'node:fs';
import { DiagnosticSeverity, Parser } from '@asyncapi/parser';

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], 'utf8'));
const errors = diagnostics.filter(each => each.severity === DiagnosticSeverity.Error);
errors.forEach(each => console.error(`${each.path.join('/')}: ${each.message}`));
if (!document || errors.length > 0) {
  process.exit(1);
}
console.log(`${document.operations().length} operations`);
