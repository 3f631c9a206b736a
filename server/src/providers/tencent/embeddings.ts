import { promptUsage } from '../../billing/usage-openai.ts'
import { membersOf, objectsOf } from '../../dialects/conversation/json.ts'
import { vectorOf } from '../../dialects/media/embeddings.ts'
import type { Provider } from '../provider.ts'
import { errorOf, snake } from './language.ts'

/** `GetEmbedding` has one model, so the request names none (cloud.tencent.com/document/api/1729/102832). */
export const embeddings: NonNullable<Provider['embeddings']> = {
  path: '/GetEmbedding',
  write({ texts, dimensions, user, own }, unsupported) {
    if (dimensions !== undefined) unsupported.add('dimensions')
    if (user !== undefined) unsupported.add('user')
    for (const name of Object.keys(own)) unsupported.add(name)
    return { InputList: texts }
  },
  read(json) {
    const { data, usage } = membersOf(snake(json.Response))
    const inOrder = objectsOf(data).toSorted((a, b) => Number(a.index) - Number(b.index))
    return {
      vectors: inOrder.map(({ embedding }) => vectorOf(embedding)),
      usage: promptUsage(usage),
    }
  },
  errorOf,
}
