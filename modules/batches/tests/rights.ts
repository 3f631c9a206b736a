import type { ModuleRights } from '#server-test/rights/module-rights.ts'

export const rights: ModuleRights = { kinds: {} }
