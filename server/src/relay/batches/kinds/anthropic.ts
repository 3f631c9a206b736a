import { isObject, membersOf, numberIn } from '../../../dialects/conversation/json.ts'
import { at, type BatchKind } from './batch-kind.ts'

const freeTypes: ReadonlySet<unknown> = new Set(['errored', 'canceled', 'expired'])

/** platform.claude.com/docs/en/api/messages/batches */
export const anthropicBatches: BatchKind = {
  name: 'anthropic',
  collection: 'message_batches',
  stateOf: ({ processing_status: status, request_counts: counts }) => ({
    isFinal: status === 'ended',
    done: numberIn(membersOf(counts).succeeded),
    files: [],
    usage: undefined,
    model: undefined,
  }),
  objectAt: (id, address) => at(address, `messages/batches/${encodeURIComponent(id)}`),
  linesAt: (id, address) => [at(address, `messages/batches/${encodeURIComponent(id)}/results`)],
  lineOf({ result }) {
    const { type, message } = membersOf(result)
    if (type === 'succeeded' && isObject(message)) return { kind: 'done', answer: message }
    return freeTypes.has(type) ? { kind: 'failed' } : undefined
  },
}
