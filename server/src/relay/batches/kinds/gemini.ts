import { isObject, type JsonObject, membersOf, textOf } from '../../../dialects/conversation/json.ts'
import { bareId } from '../../direct/collections.ts'
import { at, type BatchKind } from './batch-kind.ts'
import { nonEmpty } from './openai.ts'

const finalState = /_(?:SUCCEEDED|FAILED|CANCELLED|EXPIRED|PARTIALLY_SUCCEEDED)$/

/** Numbers of 64 bits are texts in Google's JSON. */
const countIn = (value: unknown): number | undefined => {
  const count = Number(value)
  return (typeof value === 'string' || typeof value === 'number') && Number.isSafeInteger(count) ? count : undefined
}

/** The batch itself, alone or as the metadata of the operation that makes it. */
const partsOf = (batch: JsonObject): readonly JsonObject[] => {
  const { metadata, response, output } = batch
  const inMetadata = membersOf(metadata)
  return [batch, inMetadata, membersOf(response), membersOf(output), membersOf(inMetadata.output)]
}

/** ai.google.dev/api/batch-api: an operation with the answers, or the name of a file with them. */
export const geminiBatches: BatchKind = {
  name: 'gemini',
  collection: 'batches',
  stateOf(batch) {
    const parts = partsOf(batch)
    const stats = parts.map(({ batchStats }) => membersOf(batchStats).successfulRequestCount).find(isCounted)
    const files = nonEmpty(...parts.map(({ responsesFile }) => responsesFile))
    return {
      isFinal: batch.done === true || parts.some(({ state }) => finalState.test(textOf(state))),
      done: countIn(stats),
      files: [...new Set(files.map((file) => bareId('files', file)))],
      usage: undefined,
      model: nonEmpty(...parts.map(({ model }) => model)).map((model) => model.replace(/^models\//, ''))[0],
    }
  },
  objectAt: (id, address) => at(address, `batches/${encodeURIComponent(id)}`),
  inside: 'inlinedResponses',
  linesAt: (_, { prefix }, { files }) =>
    files.map((file) => `${prefix}/files/${encodeURIComponent(file)}:download?alt=media`),
  lineOf({ response, error, candidates, usageMetadata }) {
    if (isObject(response)) return { kind: 'done', answer: response }
    if (isObject(error)) return { kind: 'failed' }
    return candidates === undefined && usageMetadata === undefined
      ? undefined
      : { kind: 'done', answer: { candidates, usageMetadata } }
  },
}

const isCounted = (value: unknown): boolean => countIn(value) !== undefined
