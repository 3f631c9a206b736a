import { guardStandardStreams } from '../server/src/lib/standard-output.ts'
import { buildIfStale } from './build-if-stale.ts'

guardStandardStreams()
buildIfStale()
await import('../server/src/start.ts')
