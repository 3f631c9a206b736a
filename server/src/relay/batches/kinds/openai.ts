import { usageFromOpenai } from '../../../billing/usage-openai.ts'
import { isObject, type JsonObject, membersOf, numberIn, textOf } from '../../../dialects/conversation/json.ts'
import { at, type BatchKind, type ResultLine } from './batch-kind.ts'

/** Hosts write the same words in other letters. */
const finalStates: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled', 'canceled'])

/** The ids that are texts and not empty. */
export const nonEmpty = (...ids: readonly unknown[]): readonly string[] =>
  ids.filter((id): id is string => typeof id === 'string' && id !== '')

/** A line with the HTTP answer of its request, as OpenAI and Mistral write it. */
export const httpLine = ({ response, error }: JsonObject): ResultLine | undefined => {
  const { status_code: status, body } = membersOf(response)
  if (typeof status === 'number' && (status < 200 || status > 299)) return { kind: 'failed' }
  if (isObject(body)) return isObject(body.error) ? { kind: 'failed' } : { kind: 'done', answer: body }
  return error === undefined || error === null ? undefined : { kind: 'failed' }
}

const perPage = 1000

/**
 * platform.openai.com/docs/api-reference/batch; Azure, Groq and others have the same form below other addresses. OpenRouter has no file of
 * results: they stand in the object of a batch that is over, and in pages beside it (openrouter.ai/docs/api/api-reference/batch/get-batch-results).
 */
export const openaiBatches: BatchKind = {
  name: 'openai',
  collection: 'batches',
  stateOf: (batch) => ({
    isFinal: finalStates.has(textOf(batch.status).toLowerCase()),
    done: numberIn(membersOf(batch.request_counts).completed),
    files: nonEmpty(batch.output_file_id),
    usage: usageFromOpenai(batch.usage),
    model: textOf(batch.model) || undefined,
  }),
  inside: 'results',
  pages: {
    list: 'data',
    mayBeMissing: true,
    at(id, { prefix, query }, after) {
      const next = textOf(after?.next_cursor)
      if (after !== undefined && next === '') return undefined
      const begin = `${prefix}/batches/${encodeURIComponent(id)}/results${query === '' ? '?' : `${query}&`}limit=${perPage}`
      return next === '' ? begin : `${begin}&cursor=${encodeURIComponent(next)}`
    },
  },
  objectAt: (id, address) => at(address, `batches/${encodeURIComponent(id)}`),
  linesAt: (_, address, { files }) => files.map((file) => at(address, `files/${encodeURIComponent(file)}/content`)),
  lineOf: httpLine,
}
