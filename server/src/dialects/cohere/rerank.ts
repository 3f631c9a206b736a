import { usageStated } from '../../billing/declared/usage-stated.ts'
import type { Usage } from '../../billing/usage.ts'
import { countOf, defined, type JsonObject, membersOf, numberIn, objectsOf, textOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { RerankDialect, RerankRequest, RerankResult } from '../media/rerank.ts'
import { errorOf } from './answer.ts'

const ownNames: ReadonlySet<string> = new Set(['max_tokens_per_doc', 'priority'])

export const writeCohereRerank = (
  { query, documents, topN, own }: RerankRequest,
  unsupported: UnsupportedFields,
): JsonObject => {
  for (const name of Object.keys(own)) if (!ownNames.has(name)) unsupported.add(name)
  const supported = Object.fromEntries(Object.entries(own).filter(([name]) => ownNames.has(name)))
  return { ...supported, query, documents, ...defined({ top_n: topN }) }
}

export const readCohereResults = (json: JsonObject): RerankResult[] =>
  objectsOf(json.results).map(({ index, relevance_score: score }) => ({
    index: countOf(index),
    score: numberIn(score) ?? 0,
  }))

const usageOf = (meta: JsonObject): Usage | undefined => {
  const stated = membersOf(meta.tokens)
  return usageStated('cohere', meta, { input: countOf(stated.input_tokens), output: countOf(stated.output_tokens) })
}

/** Reranking of Cohere's API version 2 (docs.cohere.com/reference/rerank). */
export const cohereRerank: RerankDialect = {
  write: (request, unsupported) => ({ model: request.model, ...writeCohereRerank(request, unsupported) }),
  read(json) {
    const meta = membersOf(json.meta)
    const units = countOf(membersOf(meta.billed_units).search_units)
    return { results: readCohereResults(json), usage: usageOf(meta), ...(units === 0 ? {} : { searchUnits: units }) }
  },
  errorOf: (json) => (textOf(json.message) === '' ? undefined : errorOf(json)),
}
