/** What stands around screens, loaded as one. */

export { AdminOnly, RootOnly } from './admin-only.tsx'
export { ConsoleShell } from './console-shell.tsx'
