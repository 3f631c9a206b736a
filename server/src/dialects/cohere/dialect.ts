import type { UpstreamDialect } from '../dialect.ts'
import { errorOf, readAnswer } from './answer.ts'
import { openReader } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

/** Chat of Cohere's second version. */
export const cohereChat: UpstreamDialect = {
  name: 'cohere',
  writeRequest,
  readAnswer,
  openStream: openReader,
  errorOf,
}
