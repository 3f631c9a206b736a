/** The frame around screens, loaded as one. */

export { beginFirstReads } from '../lib/loading/first-reads.ts'
export { AdminOnly, RootOnly } from './admin-only.tsx'
export { ConsoleShell } from './console-shell.tsx'
