import { buildIfStale } from './build-if-stale.ts'

/** Builds console and server where they are stale; ends with 1 where one cannot be built. */
buildIfStale()
