import { promptUsage } from '../../billing/usage-openai.ts'
import { defined, membersOf, numberIn, objectsOf } from '../../dialects/conversation/json.ts'
import { settings } from '../dialects/openai-shaped.ts'
import type { Provider } from '../provider.ts'
import { errorOf } from './language.ts'

/** Reranking through DashScope's native API (help.aliyun.com/zh/model-studio/text-rerank-api). */
export const rerank: NonNullable<Provider['rerank']> = {
  path: '/api/v1/services/rerank/text-rerank/text-rerank',
  write({ model, query, documents, topN, own }, unsupported) {
    const ownSettings = settings(own, { instruct: 'instruct' }, unsupported)
    return {
      model,
      input: { query, documents },
      parameters: { return_documents: false, ...ownSettings, ...defined({ top_n: topN }) },
    }
  },
  read(json) {
    return {
      results: objectsOf(membersOf(json.output).results).map(({ index, relevance_score: score }) => ({
        index: numberIn(index) ?? 0,
        score: numberIn(score) ?? 0,
      })),
      usage: promptUsage(json.usage),
    }
  },
  errorOf,
}
