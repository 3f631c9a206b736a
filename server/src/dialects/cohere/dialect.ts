import type { UpstreamDialect } from '../dialect.ts'
import { errorOf, readAnswer } from './answer.ts'
import { openReader } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

/** Chat of Cohere's second version. */
export const cohereChat: UpstreamDialect = {
  name: 'cohere',
  // Of the first version; nothing else is said of the second.
  toolNames: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
  writeRequest,
  readAnswer,
  openStream: openReader,
  errorOf,
}
