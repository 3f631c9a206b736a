import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { guardStandardStreams } from '../server/src/lib/standard-output.ts'
import { buildIfStale } from './build-if-stale.ts'

guardStandardStreams()
buildIfStale()
await import(pathToFileURL(join(import.meta.dirname, '../server/dist/start.js')).href)
