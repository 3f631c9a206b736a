import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { defined, objectsOf } from '../conversation/json.ts'
import { type EmbeddingsDialect, vectorOf } from './embeddings.ts'

/** OpenAI's embeddings format, for providers that share only this call with OpenAI. */
export const openaiEmbeddings: EmbeddingsDialect = {
  write: ({ model, texts, dimensions, user, own }) => ({
    ...own,
    model,
    input: texts,
    ...defined({ dimensions, user }),
  }),
  read: (json) => ({
    vectors: objectsOf(json.data).map(({ embedding }) => vectorOf(embedding)),
    usage: usageFromOpenai(json.usage),
  }),
}
