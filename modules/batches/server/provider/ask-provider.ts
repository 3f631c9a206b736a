import { isObject, type JsonObject, parsedJson } from '#server/dialects/conversation/json.ts'
import type { BatchedCalls } from '#server/gateway/own-calls/batched-calls.ts'
import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import { ListCutter } from '#server/relay/batches/reading/list-cutter.ts'
import { ask } from '#server/relay/upstream/ask.ts'
import { redact } from '#server/relay/upstream/redact.ts'
import type { Upstream, UpstreamControl } from '#server/relay/upstream/upstream.ts'
import type { BatchAsk } from './kinds/provider-kind.ts'

export interface AskParts {
  readonly upstream: Upstream
  readonly headersFor: BatchedCalls['headersFor']
}

/** A provider's answer to a request about a batch. */
export type ProviderSays =
  | { readonly kind: 'answered'; readonly status: number; readonly json: JsonObject; readonly text: string }
  /** No answer came; `sent` where the provider may have got the request. */
  | { readonly kind: 'silent'; readonly sent: boolean; readonly cause: string }

/** A batch of megabytes takes its time. */
const timeoutMs = 600_000
const mostBytes = 8 * 1024 * 1024
const shownText = 500
const nothing = Buffer.alloc(0)

/** Headers of a request about batches. */
export const headersOf = (place: LinePlace, { path, body }: BatchAsk, { headersFor }: AskParts) => ({
  ...headersFor(place, path),
  ...(body === undefined ? {} : { 'content-type': body.type }),
})

/** One exchange with the provider of a batch. Never rejects. */
export const askProvider = async (place: LinePlace, request: BatchAsk, parts: AskParts): Promise<ProviderSays> => {
  const { channel, key } = place
  let control: UpstreamControl | undefined
  const watched: Upstream = {
    send: (sent, events) => (control = parts.upstream.send(sent, events)),
    connect: (sent, events) => parts.upstream.connect(sent, events),
  }
  const cutter = request.passesOver === undefined ? undefined : new ListCutter(request.passesOver, () => {})
  try {
    const { status, text } = await ask(watched, {
      method: request.method,
      url: `${channel.baseUrl}${request.path}`,
      headers: headersOf(place, request, parts),
      ...(request.body === undefined ? {} : { body: request.body.bytes }),
      proxy: channel.proxy,
      timeoutMs,
      maxBytes: mostBytes,
      // Results may be many times larger than what is said about them.
      ...(cutter && {
        reduce: (chunk: Buffer) => {
          cutter.push(chunk)
          return nothing
        },
      }),
    })
    const json = cutter === undefined ? parsedJson(text) : cutter.end()
    const whole = cutter === undefined ? text : JSON.stringify(json ?? {})
    const shown = redact(whole.slice(0, shownText), { key, baseUrl: channel.baseUrl })
    return { kind: 'answered', status, json: isObject(json) ? json : {}, text: shown }
  } catch (error) {
    const cause = redact(error instanceof Error ? error.message : String(error), { key, baseUrl: channel.baseUrl })
    return { kind: 'silent', sent: control?.sent !== false, cause }
  }
}
