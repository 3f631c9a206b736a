import { randomUUID } from 'node:crypto'
import type { ClientShape } from '../client-shape.ts'
import { membersOf, numberIn, objectsOf } from '../conversation/json.ts'
import { costIn } from '../cost/gateway-cost.ts'

/**
 * Reranking as Cohere's clients ask for it (docs.cohere.com/reference/rerank): the request is the one of `/v1/rerank`, and the
 * answer names indexes and scores only.
 */
export const cohereRerankShape: ClientShape = {
  path: '/v1/rerank',
  read: (received) => received,
  write({ id, results, meta, usage }) {
    const { search_units: units } = membersOf(membersOf(meta).billed_units)
    return {
      id: typeof id === 'string' ? id : randomUUID(),
      results: objectsOf(results).map(({ index, relevance_score }) => ({ index, relevance_score })),
      meta: { api_version: { version: '2' }, billed_units: { search_units: numberIn(units) ?? 1 } },
      ...costIn('usage', usage),
    }
  },
}
