import { usageStated } from '../../billing/declared/usage-stated.ts'
import { countOf, defined, listOf } from '../conversation/json.ts'
import { type EmbeddingsDialect, vectorOf } from '../media/embeddings.ts'
import { errorOf } from './answer.ts'

const ownNames: ReadonlySet<string> = new Set(['truncate', 'keep_alive', 'options'])

/** Ollama's embeddings API, with one vector per text (docs.ollama.com/api/embed). */
export const ollamaEmbeddings: EmbeddingsDialect = {
  write({ model, texts, dimensions, user, own }, unsupported) {
    if (user !== undefined) unsupported.add('user')
    for (const name of Object.keys(own)) if (!ownNames.has(name)) unsupported.add(name)
    const supported = Object.fromEntries(Object.entries(own).filter(([name]) => ownNames.has(name)))
    return { ...supported, model, input: texts, ...defined({ dimensions }) }
  },
  read(json) {
    const input = countOf(json.prompt_eval_count)
    return {
      vectors: listOf(json.embeddings).map(vectorOf),
      usage: usageStated('ollama', json, { input }),
    }
  },
  errorOf,
}
