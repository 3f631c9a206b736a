import { usageFromOpenai } from '../../../billing/usage-openai.ts'
import { isObject, type JsonObject, membersOf, numberIn, textOf } from '../../../dialects/conversation/json.ts'
import { at, type BatchKind, type ResultLine } from './batch-kind.ts'

/** Hosts write the same words in other letters. */
const finalStates: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled', 'canceled'])

export const nonEmpty = (...ids: readonly unknown[]): readonly string[] =>
  ids.filter((id): id is string => typeof id === 'string' && id !== '')

/** A line with the HTTP answer of its request, as OpenAI and Mistral write it. */
export const httpLine = ({ response, error }: JsonObject): ResultLine | undefined => {
  const { status_code: status, body } = membersOf(response)
  if (typeof status === 'number' && (status < 200 || status > 299)) return { kind: 'failed' }
  if (isObject(body)) return isObject(body.error) ? { kind: 'failed' } : { kind: 'done', answer: body }
  return error === undefined || error === null ? undefined : { kind: 'failed' }
}

/** platform.openai.com/docs/api-reference/batch; Azure, Groq and others have the same form below other addresses. */
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
  objectAt: (id, address) => at(address, `batches/${encodeURIComponent(id)}`),
  linesAt: (_, address, { files }) => files.map((file) => at(address, `files/${encodeURIComponent(file)}/content`)),
  lineOf: httpLine,
}
