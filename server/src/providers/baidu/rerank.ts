import { promptUsage } from '../../billing/usage-openai.ts'
import { defined, numberIn, objectsOf } from '../../dialects/conversation/json.ts'
import type { Provider } from '../provider.ts'
import { errorOf } from './language.ts'

/** Reranking of both API versions (cloud.baidu.com/doc/WENXINWORKSHOP/s/2lu4g89j2). */
export const rerank: NonNullable<Provider['rerank']> = {
  path: '/v1/rerank',
  write({ model, query, documents, topN, own }, unsupported) {
    for (const name of Object.keys(own)) unsupported.add(name)
    return { model, query, documents, ...defined({ top_n: topN }) }
  },
  read: (json) => ({
    results: objectsOf(json.results).map(({ index, relevance_score: score }) => ({
      index: numberIn(index) ?? 0,
      score: numberIn(score) ?? 0,
    })),
    usage: promptUsage(json.usage),
  }),
  errorOf,
}
