import { ownMember } from '@tollgate/contract/own-member'
import { membersOf, objectsOf, textOf } from '#server/dialects/conversation/json.ts'
import { readHttpLine } from './http-lines.ts'
import { contentsOf, jsonAsk, uploadAsk } from './input-file.ts'
import { nameOfLine, type ProviderKind } from './provider-kind.ts'

/** One provider's API for batches in the shape of OpenAI's: an uploaded file, a batch of it, and files of results. */
interface OpenaiShape {
  readonly name: string
  readonly channelTypes: readonly number[]
  /** Path of files and batches below the channel's address. */
  readonly prefix: string
  /** Paths of calls below the channel's address, and their names in lines and batches. */
  readonly endpoints: Readonly<Record<string, string>>
  readonly mostLines: number
  readonly oneModel?: true
  /** Member of the metadata that holds our name of a batch. */
  readonly mark?: string
  /** More members of a new batch. */
  readonly more: Readonly<Record<string, unknown>>
}

const mostBytes = 32 * 1024 * 1024

const openaiShaped = ({
  name,
  channelTypes,
  prefix,
  endpoints,
  mostLines,
  oneModel,
  mark: member = 'tollgate_batch',
  more,
}: OpenaiShape): ProviderKind => {
  const named: ReadonlyMap<string, string> = new Map(Object.entries(endpoints))
  const at = (id: string, action = ''): string => `${prefix}/batches/${encodeURIComponent(id)}${action}`
  return {
    name,
    channelTypes,
    mostLines,
    mostBytes,
    ...(oneModel && { oneModel }),
    takes: (path) => named.has(path),
    line: ({ number, path, body }) =>
      `{"custom_id":"${nameOfLine(number)}","method":"POST","url":${JSON.stringify(named.get(path))},"body":${body.toString()}}`,
    separator: '\n',
    upload: (batch) => uploadAsk(`${prefix}/files`, batch, 'batch'),
    create: ({ mark, path, file }) =>
      jsonAsk(`${prefix}/batches`, {
        input_file_id: file,
        endpoint: named.get(path),
        ...more,
        metadata: { [member]: mark },
      }),
    idIn: ({ id }) => textOf(id) || undefined,
    look: (id) => ({ method: 'GET', path: at(id) }),
    readLook({ status, errors, output_file_id: output, error_file_id: error }) {
      if (status === 'failed') {
        const [first] = objectsOf(membersOf(errors).data)
        return { state: 'refused', reason: textOf(first?.message) || 'the provider refused its input' }
      }
      return status === 'completed' || status === 'expired' || status === 'cancelled'
        ? { state: 'ended', results: contentsOf(prefix, output, error) }
        : { state: 'running' }
    },
    cancel: (id) => ({ method: 'POST', path: at(id, '/cancel') }),
    recent: () => ({ method: 'GET', path: `${prefix}/batches?limit=100` }),
    marked: ({ data }, mark) =>
      textOf(objectsOf(data).find(({ metadata }) => ownMember(membersOf(metadata), member) === mark)?.id) || undefined,
    readResult: readHttpLine,
  }
}

const sameNames = (...paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, path]))

const inOneDay = { completion_window: '24h' }

/** Providers of this shape. A channel of the type OpenAI may lead to any of them that have its paths, as Groq does (console.groq.com/docs/batch). */
const shapes: readonly OpenaiShape[] = [
  // platform.openai.com/docs/api-reference/batch
  {
    name: 'openai',
    channelTypes: [1],
    prefix: '/v1',
    endpoints: sameNames(
      '/v1/chat/completions',
      '/v1/responses',
      '/v1/completions',
      '/v1/embeddings',
      '/v1/moderations',
    ),
    mostLines: 50_000,
    more: inOneDay,
  },
  // learn.microsoft.com/azure/foundry/reference/rest/batches-create-batch: the undated API; the model is a deployment for batches.
  {
    name: 'azure',
    channelTypes: [3],
    prefix: '/openai/v1',
    endpoints: {
      '/openai/v1/chat/completions': '/v1/chat/completions',
      '/openai/v1/responses': '/v1/responses',
      '/openai/v1/embeddings': '/v1/embeddings',
    },
    mostLines: 50_000,
    oneModel: true,
    more: inOneDay,
  },
  // help.aliyun.com/zh/model-studio/batch-interfaces-compatible-with-openai: a batch may have a name of its own.
  {
    name: 'ali',
    channelTypes: [17],
    prefix: '/compatible-mode/v1',
    endpoints: {
      '/compatible-mode/v1/chat/completions': '/v1/chat/completions',
      '/compatible-mode/v1/embeddings': '/v1/embeddings',
    },
    mostLines: 50_000,
    oneModel: true,
    mark: 'ds_name',
    more: inOneDay,
  },
  // docs.bigmodel.cn, Batch API: the input is deleted with its batch.
  {
    name: 'zhipu',
    channelTypes: [16, 26],
    prefix: '/api/paas/v4',
    endpoints: { '/api/paas/v4/chat/completions': '/v4/chat/completions' },
    mostLines: 50_000,
    oneModel: true,
    more: { auto_delete_input_file: true },
  },
  // platform.kimi.ai/docs/api/batch-create and its price list (April 2026): kimi-k2.5 alone. It names no most lines; these are provisional.
  {
    name: 'moonshot',
    channelTypes: [25],
    prefix: '/v1',
    endpoints: sameNames('/v1/chat/completions'),
    mostLines: 10_000,
    oneModel: true,
    more: inOneDay,
  },
]

export const openaiShapes: readonly ProviderKind[] = shapes.map(openaiShaped)
