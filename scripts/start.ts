import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.ts'

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'))
buildIfStale()
await import('../server/src/main.ts')
