import { writeFileSync } from 'node:fs';
import { coverageText } from './coverage.ts';

/** Writes `docs/coverage.md` anew, for `npm run coverage`. */

writeFileSync('docs/coverage.md', coverageText());
