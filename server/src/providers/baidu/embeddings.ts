import { promptUsage } from '../../billing/usage-openai.ts'
import { defined, type JsonObject, objectsOf } from '../../dialects/conversation/json.ts'
import { vectorOf } from '../../dialects/media/embeddings.ts'
import type { Provider } from '../provider.ts'
import { errorOf } from './language.ts'

const inOrder = (entries: unknown): readonly JsonObject[] =>
  objectsOf(entries).toSorted((a, b) => Number(a.index) - Number(b.index))

/** Both API versions take this request; version 1 has the model in its address (cloud.baidu.com/doc/WENXINWORKSHOP/s/alj562vvu). */
export const embeddings: NonNullable<Provider['embeddings']> = {
  path: '/v1/embeddings',
  write({ model, texts, dimensions, user, own }, unsupported) {
    if (dimensions !== undefined) unsupported.add('dimensions')
    for (const name of Object.keys(own)) unsupported.add(name)
    return { model, input: texts, ...defined({ user_id: user }) }
  },
  read: (json) => ({
    vectors: inOrder(json.data).map(({ embedding }) => vectorOf(embedding)),
    usage: promptUsage(json.usage),
  }),
  errorOf,
}
