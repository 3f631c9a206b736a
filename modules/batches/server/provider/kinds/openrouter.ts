import {
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  parsedJson,
  textOf,
} from '#server/dialects/conversation/json.ts'
import { readHttpLine } from './http-lines.ts'
import { markNamed, nameOfLine, type ProviderKind, type ProviderLook, type UnnamedBatches } from './provider-kind.ts'

const paths: ReadonlySet<string> = new Set(['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/embeddings'])

const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled'])

const at = (id: string): string => `/v1/batches/${encodeURIComponent(id)}`

const readLook = ({ status, error, request_counts: counts }: JsonObject): ProviderLook => {
  if (!ends.has(textOf(status))) return { state: 'running' }
  const done = numberIn(membersOf(counts).completed) ?? 0
  if (status !== 'failed' || done > 0) return { state: 'ended', results: [], inside: 'results' }
  return { state: 'refused', reason: textOf(membersOf(error).message) || 'the provider refused its input' }
}

/** A batch names its model once, beside its requests. */
const withoutModel = (body: Buffer): string => {
  const request = parsedJson(body.toString())
  if (!isObject(request)) return body.toString()
  const { model: _, ...others } = request
  return JSON.stringify(others)
}

/** The list of the SDK (openrouter 1.3.84, components/batchlistitem.py): the newest first, up to 100, without results. */
const unnamed: UnnamedBatches = {
  list: (after) => ({
    method: 'GET',
    path: `/v1/batches?limit=100${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`,
  }),
  readList: ({ data, has_more: hasMore, last_id: last }) => ({
    batches: objectsOf(data).map((batch) => ({
      id: textOf(batch.id),
      createdAt: numberIn(batch.created_at) ?? 0,
      lines: numberIn(membersOf(batch.request_counts).total) || undefined,
      look: readLook(batch),
    })),
    next: hasMore === true ? textOf(last) || undefined : undefined,
  }),
  markOf: ({ custom_id: name }) => markNamed(name),
}

/**
 * openrouter.ai/docs/guides/features/batch-api (November 2026): up to 5,000 requests of one model in the call, results in the object of a
 * batch that is over, no names, and nothing that ends a batch.
 */
export const openrouterKind: ProviderKind = {
  name: 'openrouter',
  channelTypes: [20],
  mostLines: 5_000,
  mostBytes: 32 * 1024 * 1024,
  oneModel: true,
  takes: (path) => paths.has(path),
  line: ({ number, body, mark }) => `{"custom_id":"${nameOfLine(number, mark)}","body":${withoutModel(body)}}`,
  separator: ',',
  create: ({ path, model, lines }) => ({
    method: 'POST',
    path: '/v1/batches',
    body: {
      type: 'application/json',
      bytes: Buffer.concat([
        Buffer.from(`{"endpoint":${JSON.stringify(path)},"model":${JSON.stringify(model)},"requests":[`),
        lines,
        Buffer.from(']}'),
      ]),
    },
  }),
  idIn: ({ id }) => textOf(id) || undefined,
  look: (id) => ({ method: 'GET', path: at(id), passesOver: 'results' }),
  readLook,
  unnamed,
  readResult: readHttpLine,
}
