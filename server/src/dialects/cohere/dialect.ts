import type { UpstreamDialect } from '../dialect.ts'
import { errorOf, readAnswer } from './answer.ts'
import { openReader } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

/** Chat of Cohere's API version 2. */
export const cohereChat: UpstreamDialect = {
  name: 'cohere',
  // Documented for version 1; version 2 documents no rule.
  toolNames: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
  writeRequest,
  readAnswer,
  openStream: openReader,
  errorOf,
}
