import { sizeOfModel, unknownSize } from '../../billing/tables/model-sizes.ts'
import type { ModelList } from '../dialect.ts'

const created = '2021-07-20T00:00:00Z'

/** `null` where unknown: clients then use their own defaults. */
const sizesOf = (id: string): object => {
  const { context, output } = sizeOfModel(id)
  const isKnown = context !== unknownSize.context || output !== unknownSize.output
  return isKnown ? { max_input_tokens: context, max_tokens: output } : { max_input_tokens: null, max_tokens: null }
}

const entry = (id: string): object => ({ type: 'model', id, display_name: id, created_at: created, ...sizesOf(id) })

/** As many as one page may hold (platform.claude.com/docs/en/api/models-list). */
const largestPage = 1000

const limitOf = (query: URLSearchParams): number => {
  const limit = Number(query.get('limit') ?? '')
  return Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, largestPage) : Number.POSITIVE_INFINITY
}

interface Page {
  readonly names: readonly string[]
  readonly hasMore: boolean
}

/** The names behind `after_id`, or before `before_id`, at most `limit`; all of them where the query names nothing. */
const pageOf = (names: readonly string[], query: URLSearchParams): Page => {
  const limit = limitOf(query)
  const before = names.indexOf(query.get('before_id') ?? '')
  if (before >= 0) {
    const start = Math.max(0, before - limit)
    return { names: names.slice(start, before), hasMore: start > 0 }
  }
  const start = names.indexOf(query.get('after_id') ?? '') + 1
  const end = Math.min(names.length, start + limit)
  return { names: names.slice(start, end), hasMore: end < names.length }
}

/** docs.anthropic.com/en/api/models-list */
export const modelList: ModelList = {
  isAskedFor: (headers) => headers['anthropic-version'] !== undefined,
  entry,
  list(all, query) {
    const { names, hasMore } = pageOf(all, query)
    return {
      data: names.map(entry),
      has_more: hasMore,
      first_id: names[0] ?? null,
      last_id: names.at(-1) ?? null,
    }
  },
}
