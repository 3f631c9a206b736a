import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { guardStandardStreams } from '../server/src/lib/standard-output.ts'
import { buildIfStale } from './build-if-stale.ts'

guardStandardStreams()
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'))
buildIfStale()
await import('../server/src/main.ts')
