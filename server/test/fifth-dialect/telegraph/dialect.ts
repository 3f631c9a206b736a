import { textIn } from '../../../src/dialects/conversation/json.ts'
import type { Dialect } from '../../../src/dialects/dialect.ts'
import { writeAnswer } from './answer.ts'
import { costPlace } from './cost-place.ts'
import { errors } from './errors.ts'
import { passthrough } from './passthrough.ts'
import { paths } from './paths.ts'
import { promptReader } from './prompt.ts'
import { readRequest } from './read-request.ts'
import { requestRules } from './request-rules.ts'
import { createWriter } from './write-stream.ts'

/**
 * A made-up dialect, the smallest that has all: messages are lines, a maximum is `words`, a tool is an office, a call of one is
 * an order, and what an answer costs is its fee.
 */
export const telegraphDialect: Dialect = {
  name: 'telegraph',
  support: { unsupported: new Set(['image', 'audio', 'video', 'document']), imageUrls: false, searches: false },
  readRequest,
  writeAnswer,
  openStream: createWriter,
  paths,
  keys: { headers: ['telegraph-key'], firstAt: '/telegraph/', query: 'stamp' },
  errors,
  requestRules,
  promptReader,
  passthrough,
  costPlace,
  checkTranslatable: () => {},
  writeTokenCount: (tokens) => ({ words: tokens }),
  storedResponses: {
    continuedFrom: ({ after }) => textIn(after),
    isStored: ({ file }) => file === true,
    idOf: ({ telegram }) => textIn(telegram),
  },
  modelInPath: false,
  keepsRateLimitText: true,
}
