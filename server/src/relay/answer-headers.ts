import { remembered } from '../lib/remembered.ts'

const dropped: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-encoding',
  'set-cookie',
  'date',
  'server',
  'via',
  'alt-svc',
  'strict-transport-security',
  'x-request-id',
  'request-id',
  'x-oneapi-request-id',
  'openai-organization',
  'openai-project',
])

const droppedPrefixes = ['access-control-', 'cf-', 'x-amzn-', 'x-envoy-']

/** The same few names come with every answer. */
const isDropped = remembered(
  1000,
  (name) => dropped.has(name) || droppedPrefixes.some((prefix) => name.startsWith(prefix)),
)

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** What of an upstream's head the client gets (M-25): names and values in turn, without a length. */
export const keptHeaders = (headers: AnswerHeaders, kept: string[] = []): string[] => {
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || isDropped(name)) continue
    kept.push(name, typeof value === 'string' ? value : (value[0] ?? ''))
  }
  return kept
}

/** The same with the length, computed anew. */
export const answerHeaders = (headers: AnswerHeaders, length: number): string[] =>
  keptHeaders(headers, ['content-length', String(length)])
