import { isObject, type JsonObject, listOf, membersOf, objectsOf } from '../../../src/dialects/conversation/json.ts'
import { invalidRequest } from '../../../src/dialects/conversation/request-fields.ts'
import type { ClientEmbeddings } from '../../../src/dialects/media/client-embeddings.ts'
import { readFee } from './answer.ts'
import { costPlace } from './cost-place.ts'

/** Embeddings: a text of lines becomes points. */
export const points: ClientEmbeddings = {
  dialect: 'telegraph',
  read({ lines, seal }, model) {
    if (!Array.isArray(lines)) throw invalidRequest('lines is no list')
    return {
      body: { model, input: listOf(lines) },
      unsupported: seal === undefined ? [] : ['seal'],
      onlyAsIs: undefined,
    }
  },
  fieldOf: (name) => (name === 'input' ? 'lines' : name),
  write: ({ data, usage }: JsonObject) => ({
    points: objectsOf(data).map(({ embedding }) => embedding),
    fee: { in: membersOf(usage).prompt_tokens },
  }),
  usage: ({ fee }) => (isObject(fee) ? readFee(fee) : undefined),
  costPlace,
  withModel: (raw, model) => Buffer.from(JSON.stringify({ ...membersOf(JSON.parse(raw.toString())), to: model })),
}
