import { dataEvent } from '../../lib/sse.ts'
import type { ClientShape } from '../client-shape.ts'
import { defined, isObject, type JsonObject, membersOf, numberIn, objectsOf, textIn } from '../conversation/json.ts'
import { costIn } from '../cost/cost-place.ts'
import type { ErrorFormat } from '../errors.ts'

const documentOf = (document: unknown): string | undefined =>
  isObject(document) ? textIn(document.text) : textIn(document)

/** Errors as Voyage's clients read them (docs.voyageai.com/docs/error-codes). */
export const voyageErrors: ErrorFormat = {
  body: (_, message) => ({ detail: message }),
  event: dataEvent,
}

/** Another client's errors, with the message where Voyage's look for it as well. */
export const detailToo = (usual: ErrorFormat): ErrorFormat => ({
  ...usual,
  body: (error, message, requestId) => ({ ...membersOf(usual.body(error, message, requestId)), detail: message }),
})

/** True for a request of Voyage's clients: others bound the answer by `top_n`. */
export const isVoyageRerank = (body: JsonObject): boolean =>
  body.top_n === undefined && 'top_k' in body && 'truncation' in body

const request = ({ top_k: most, truncation: _, return_documents: documents, ...body }: JsonObject): JsonObject =>
  defined({ ...body, top_n: most ?? undefined, return_documents: documents ?? undefined })

/** Reranking as Voyage's clients ask for it (docs.voyageai.com/reference/reranker-api): `top_k`, and `data` in place of `results`. */
export const voyageRerankShape: ClientShape = {
  path: '/v1/rerank',
  read({ body }) {
    const read = request(body)
    return { raw: Buffer.from(JSON.stringify(read)), body: read }
  },
  write({ model, results, data, usage, meta }) {
    const tokens = numberIn(membersOf(usage).total_tokens) ?? numberIn(membersOf(membersOf(meta).tokens).input_tokens)
    return {
      object: 'list',
      data: objectsOf(results ?? data).map(({ index, relevance_score, document }) =>
        defined({ index, relevance_score, document: documentOf(document) }),
      ),
      ...defined({ model }),
      usage: { total_tokens: tokens ?? 0 },
      ...costIn('cost', usage),
    }
  },
  errors: voyageErrors,
}
