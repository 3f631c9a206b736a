import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { given, type Members, membersOf, numberIn, objectsOf } from '../../dialects/conversation/json.ts'
import { vectorOf } from '../../dialects/media/embeddings.ts'
import type { Provider } from '../provider.ts'
import { errorOf } from './language.ts'

/** Neither calls are ever completed by more than their prompt. */
const usageOf = (value: unknown) =>
  usageFromOpenai({ prompt_tokens: membersOf(value).total_tokens, completion_tokens: 0 })

const inOrder = (entries: unknown): readonly Members[] =>
  objectsOf(entries).toSorted((a, b) => Number(a.index) - Number(b.index))

/** Both versions take it; the first one has the model in its address (cloud.baidu.com/doc/WENXINWORKSHOP/s/alj562vvu). */
export const embeddings: NonNullable<Provider['embeddings']> = {
  path: '/v1/embeddings',
  write({ model, texts, dimensions, user, own }, losses) {
    if (dimensions !== undefined) losses.lose('dimensions')
    for (const name of Object.keys(own)) losses.lose(name)
    return { model, input: texts, ...given({ user_id: user }) }
  },
  read: (json) => ({
    vectors: inOrder(json.data).map(({ embedding }) => vectorOf(embedding)),
    usage: usageOf(json.usage),
  }),
  errorOf,
}

/** cloud.baidu.com/doc/WENXINWORKSHOP/s/2lu4g89j2 */
export const rerank: NonNullable<Provider['rerank']> = {
  path: '/v1/rerank',
  write({ model, query, documents, topN, own }, losses) {
    for (const name of Object.keys(own)) losses.lose(name)
    return { model, query, documents, ...given({ top_n: topN }) }
  },
  read: (json) => ({
    results: objectsOf(json.results).map(({ index, relevance_score: score }) => ({
      index: numberIn(index) ?? 0,
      score: numberIn(score) ?? 0,
    })),
    usage: usageOf(json.usage),
  }),
  errorOf,
}
