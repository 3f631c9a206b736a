import { isObject, membersOf, numberIn, textOf } from '../../../dialects/conversation/json.ts'
import { at, type BatchKind } from './batch-kind.ts'

const perPage = 100

/**
 * docs.x.ai/docs/guides/batch-api: a batch is made empty, requests are added to it, and it is done when none of them is pending. Results
 * come in pages.
 */
export const xaiBatches: BatchKind = {
  name: 'xai',
  collection: 'batches',
  stateOf({ state }) {
    const { num_requests: all, num_pending: pending, num_success: done } = membersOf(state)
    return {
      isFinal: pending === 0 && typeof all === 'number' && all > 0,
      done: numberIn(done),
      files: [],
      usage: undefined,
      model: undefined,
    }
  },
  objectAt: (id, address) => at(address, `batches/${encodeURIComponent(id)}`),
  linesAt: () => [],
  pages: {
    list: 'results',
    at(id, { prefix }, after) {
      const next = textOf(after?.pagination_token)
      if (after !== undefined && next === '') return undefined
      const token = next === '' ? '' : `&pagination_token=${encodeURIComponent(next)}`
      return `${prefix}/batches/${encodeURIComponent(id)}/results?limit=${perPage}${token}`
    },
  },
  lineOf(line) {
    const result = membersOf(line.batch_result)
    const { response } = isObject(result.response) ? result : line
    if (!isObject(response)) return isObject(result.error) || line.error !== undefined ? { kind: 'failed' } : undefined
    // The answer stands in a member that is named after the kind of call.
    const answer = response.usage === undefined ? Object.values(response).find(isObject) : response
    return answer === undefined ? undefined : { kind: 'done', answer }
  },
  grows: true,
}
