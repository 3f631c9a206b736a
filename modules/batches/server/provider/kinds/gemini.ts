import {
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  textOf,
} from '#server/dialects/conversation/json.ts'
import { lineNamed, nameOfLine, type ProviderKind } from './provider-kind.ts'
import { isSkippedCode, statusOfCode } from './rpc-status.ts'

const takenPath = /^\/v1[a-z0-9]*\/models\/[^/:]+:(generateContent|embedContent)$/

/** Paths of the calls that make batches. */
const creationOf = (path: string): string =>
  path.replace(/:generateContent$/, ':batchGenerateContent').replace(/:embedContent$/, ':asyncBatchEmbedContent')

/** A vector states the tokens of its text beside it, where a call's answer has them in its usage. */
const withUsage = (response: JsonObject): JsonObject => {
  const tokens = Number(response.tokenCount)
  return response.usageMetadata !== undefined || !(Number.isSafeInteger(tokens) && tokens > 0)
    ? response
    : { ...response, usageMetadata: { promptTokenCount: tokens } }
}

/** One that failed may have been begun. */
const finalStates: ReadonlySet<string> = new Set(['SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED'])

const stateOf = ({ metadata, state }: JsonObject): string =>
  (textOf(membersOf(metadata).state) || textOf(state)).replace(/^(BATCH|JOB)_STATE_/, '')

const at = (id: string, more = ''): string => `/v1beta/batches/${encodeURIComponent(id)}${more}`

const bare = (name: unknown): string => textOf(name).replace(/^batches\//, '')

/** ai.google.dev/gemini-api/docs/webhooks, dynamic webhooks: the address stands in for those of the project. */
const webhook = (address: string | undefined): string =>
  address === undefined ? '' : `"webhookConfig":{"uris":[${JSON.stringify(address)}]},`

/** ai.google.dev/api/batch-api: requests and results stand in the calls themselves. */
export const geminiKind: ProviderKind = {
  name: 'gemini',
  channelTypes: [24],
  mostLines: 100_000,
  // ai.google.dev/gemini-api/docs/batch-api: requests in the call have 20 MB together.
  mostBytes: 19 * 1024 * 1024,
  takes: (path) => takenPath.test(path),
  line: ({ number, body }) => `{"request":${body.toString()},"metadata":{"key":"${nameOfLine(number)}"}}`,
  separator: ',',
  // @google/genai 2.x, `createBatchJobConfigToMldev`: batches of vectors have no such member.
  calls: (path) => path.endsWith(':generateContent'),
  create: ({ mark, path, lines, callback }) => ({
    method: 'POST',
    path: creationOf(path),
    body: {
      type: 'application/json',
      bytes: Buffer.concat([
        Buffer.from(
          `{"batch":{"displayName":${JSON.stringify(mark)},${webhook(callback)}"inputConfig":{"requests":{"requests":[`,
        ),
        lines,
        Buffer.from(']}}}}'),
      ]),
    },
  }),
  idIn: ({ name }) => bare(name) || undefined,
  look: (id) => ({ method: 'GET', path: at(id), passesOver: 'inlinedResponses' }),
  readLook(batch) {
    const state = stateOf(batch)
    const isOver = batch.done === true || finalStates.has(state)
    return isOver ? { state: 'ended', results: [], inside: 'inlinedResponses' } : { state: 'running' }
  },
  cancel: (id) => ({ method: 'POST', path: at(id, ':cancel') }),
  recent: () => ({ method: 'GET', path: '/v1beta/batches?pageSize=100' }),
  marked({ operations, batches }, mark) {
    const found = [...objectsOf(operations), ...objectsOf(batches)].find(
      ({ displayName, metadata }) => mark === (membersOf(metadata).displayName ?? displayName),
    )
    return bare(found?.name) || undefined
  },
  readResult({ metadata, response, error }) {
    const line = lineNamed(membersOf(metadata).key)
    if (line === undefined) return undefined
    if (isObject(response))
      return { kind: 'answered', line, status: 200, body: Buffer.from(JSON.stringify(withUsage(response))) }
    const code = numberIn(membersOf(error).code) ?? 3
    if (isSkippedCode(code)) return { kind: 'skipped', line }
    const status = statusOfCode(code)
    const body = { error: { ...membersOf(error), code: status } }
    return { kind: 'answered', line, status, body: Buffer.from(JSON.stringify(body)) }
  },
}
