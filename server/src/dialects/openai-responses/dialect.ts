import { AppError } from '../../lib/app-error.ts'
import { dataEvent } from '../../lib/sse.ts'
import { textIn } from '../conversation/json.ts'
import { sealReader, sealWriter } from '../conversation/seal.ts'
import { responsesCost } from '../cost/responses.ts'
import type { Dialect, UpstreamDialect } from '../dialect.ts'
import type { ErrorFormat } from '../errors.ts'
import { pictureTypes } from '../facts/media-types.ts'
import { responsesFiles } from '../files/named-files.ts'
import { openaiErrors } from '../openai-chat/errors.ts'
import { freeTextWriter, withFreeText } from '../tools/custom-tools.ts'
import { readAnswer, writeAnswer } from './answer.ts'
import { compactForm, compactionTurn, isCompactionTurn } from './compaction/compact.ts'
import { passthrough } from './passthrough.ts'
import { compactPath, paths } from './paths.ts'
import { promptReader } from './prompt.ts'
import { readRequest, storedStateField } from './read-request.ts'
import { openReader } from './read-stream.ts'
import { requestRules } from './request-rules.ts'
import { seals } from './seals.ts'
import { itemIdsOf, namedItems, storage } from './storage.ts'
import { thoughts } from './thoughts.ts'
import { writeRequest } from './write-request.ts'
import { openWriter } from './write-stream.ts'

const errors: ErrorFormat = {
  body: openaiErrors.body,
  /** Clients read the error's fields from the event or from its `error`, so both have them. */
  event(body) {
    const { error } = JSON.parse(body) as { error: { message: string; code?: unknown; param?: unknown } }
    const { message, code = null, param = null } = error
    return `event: error\n${dataEvent(JSON.stringify({ type: 'error', code, message, param, error }))}`
  },
}

export const openaiResponsesDialect: Dialect = {
  name: 'openai-responses',
  support: { unsupported: new Set(['audio', 'video', 'document']), imageUrls: false, searches: false },
  readRequest,
  writeAnswer: (answer, conversation) => writeAnswer(withFreeText(answer, conversation), conversation),
  openStream: (conversation) => sealWriter(freeTextWriter(openWriter(conversation), conversation)),
  paths,
  errors,
  requestRules,
  promptReader,
  passthrough,
  files: responsesFiles,
  costPlace: responsesCost,
  checkTranslatable(body) {
    const field = storedStateField(body)
    if (field !== undefined) throw new AppError('state_not_kept', { params: { field } })
  },
  writeTokenCount: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  storedResponses: {
    continuedFrom: ({ previous_response_id: id }) => textIn(id),
    isStored: ({ store }) => store !== false,
    idOf: ({ id }) => textIn(id),
    itemIdsOf: ({ output }) => itemIdsOf(output),
    namedItems,
  },
  storage,
  seals,
  thoughts,
  formAt: (path) => (path === compactPath ? compactForm : undefined),
  formOf: (body) => (isCompactionTurn(body) ? compactionTurn : undefined),
  modelInPath: false,
  keepsRateLimitText: false,
}

export const openaiResponses: UpstreamDialect = {
  name: 'openai-responses',
  pictures: pictureTypes.openai,
  documentUrls: true,
  clientTools: true,
  toolLists: 'all',
  writeRequest,
  readAnswer,
  openStream: () => sealReader(openReader()),
}
