import { join } from 'node:path'
import type { Check } from './checks.ts'

export const buildCheck: Check = { name: 'console and server are built', args: ['scripts/build.ts'] }

/** Build, types, style and reference pages of the repository below `root`: the longest first. */
export const houseChecks = (root: string): readonly Check[] => {
  const bin = (path: string): string => join(root, 'node_modules', path)
  /** Types of a part; one after the other, as several checkers in one process ask the same of the libraries each for itself. */
  const types = (part: string): Check => ({
    name: `types of ${part}`,
    args: [bin('typescript/bin/tsc'), '-p', part, '--checkers', '1'],
  })
  return [
    buildCheck,
    types('server'),
    types('web'),
    types('scripts'),
    { name: 'style', args: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
    { name: 'no look-ups by words from outside', args: ['scripts/lint/check-outside-words.ts'] },
    types('contract'),
    { name: 'reference pages are up to date', args: ['scripts/docs.ts', '--check'] },
    { name: 'no hooks that render', args: ['scripts/lint/check-rendering-hooks.ts'] },
  ]
}
