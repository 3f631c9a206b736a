import { type StatedCost, statedInHead } from '../../billing/stated/stated-costs.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import { type TaskPlatform, taskHeaders } from '../../providers/dialects/tasks.ts'
import type { CallCapture } from '../call-capture.ts'
import type { RelayChannel } from '../ports.ts'
import { decodeBody } from '../upstream/decode-body.ts'
import { networkCause, neverSent } from '../upstream/network-failure.ts'
import { redact, withoutKey } from '../upstream/redact.ts'
import { requestIdOfHead } from '../upstream/request-id.ts'
import { type Headers, headerText, splitUrl, type Upstream } from '../upstream/upstream.ts'

export interface ServiceParts {
  readonly upstream: Upstream
  /** Milliseconds until connected. */
  readonly connectMs: number
  readonly maxResponseBytes: number
}

export interface ServiceAsk {
  readonly platform: TaskPlatform
  readonly channel: RelayChannel
  readonly key: string
  readonly method: 'GET' | 'POST'
  /** The path with its query. */
  readonly path: string
  readonly body?: Buffer | undefined
  readonly accept?: string | undefined
  /** Milliseconds for everything together. */
  readonly timeoutMs: number
  /** Recorder of the exchange; absent where no inspection runs. */
  readonly capture?: CallCapture | undefined
}

export type ServiceAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** The service's id of the request by the head of its answer; empty where it names none. */
      readonly requestId: string
      /** Cost that the headers state. */
      readonly stated?: StatedCost | undefined
      readonly bytes: Buffer
      /** undefined when the body is no JSON. */
      readonly value: unknown
      /** The parsed body where it is a JSON object. */
      readonly json: Readonly<Record<string, unknown>> | undefined
    }
  /** `sent` is false when the service cannot have received the request. */
  | { readonly kind: 'failed'; readonly cause: string; readonly sent: boolean }

/** One exchange with a task service, over the channel's proxy and within the egress rules. Never rejects. */
export const askService = async (ask: ServiceAsk, parts: ServiceParts): Promise<ServiceAnswer> => {
  const got = await received(ask, parts)
  if (got.kind === 'failed') {
    return { ...got, cause: redact(got.cause, { key: ask.key, baseUrl: ask.channel.baseUrl }) }
  }
  try {
    const encoding = headerText(got.headers, 'content-encoding').toLowerCase()
    // Some services repeat their request, even in texts that clients and tables get unchanged.
    const bytes = withoutKey(await decodeBody(got.bytes, encoding, parts.maxResponseBytes), ask.key)
    const value = parsedJson(bytes.toString())
    const { status, headers } = got
    const json = isObject(value) ? value : undefined
    return {
      kind: 'answered',
      status,
      requestId: requestIdOfHead(headers),
      stated: statedInHead(headers),
      bytes,
      value,
      json,
    }
  } catch (error) {
    return { kind: 'failed', cause: `the answer cannot be read: ${error}`, sent: true }
  }
}

type Received =
  | { readonly kind: 'received'; readonly status: number; readonly headers: Headers; readonly bytes: Buffer }
  | Extract<ServiceAnswer, { kind: 'failed' }>

const received = (ask: ServiceAsk, { upstream, connectMs, maxResponseBytes }: ServiceParts): Promise<Received> =>
  new Promise((resolve) => {
    const { channel, timeoutMs } = ask
    if (channel.baseUrl === '') {
      resolve({ kind: 'failed', cause: 'the channel has no address', sent: false })
      return
    }
    const url = `${channel.baseUrl}${ask.path}`
    const { origin, path } = splitUrl(url)
    const requestHeaders = {
      ...taskHeaders(ask.platform, ask.key),
      accept: ask.accept ?? 'application/json',
      'accept-encoding': 'identity',
      ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const capture = ask.capture?.sent({
      channel,
      key: ask.key,
      url,
      headers: requestHeaders,
      unsupported: [],
      body: ask.body ?? Buffer.alloc(0),
    })
    const chunks: Buffer[] = []
    let size = 0
    let head: { status: number; headers: Headers } = { status: 0, headers: {} }
    const fail = (cause: string, sent: boolean): void => {
      clearTimeout(timer)
      resolve({ kind: 'failed', cause, sent })
    }
    const timer = setTimeout(() => {
      control.abort()
      fail(`no answer in ${timeoutMs} ms`, true)
    }, timeoutMs)
    const control = upstream.send(
      {
        method: ask.method,
        origin,
        path,
        headers: requestHeaders,
        body: ask.body,
        proxy: channel.proxy,
        timeouts: { connect: connectMs, firstByte: timeoutMs, idle: timeoutMs },
      },
      {
        onHead: (status, headers) => {
          head = { status, headers }
          capture?.head(status, headers)
        },
        onData: (chunk) => {
          capture?.data(chunk)
          size += chunk.length
          if (size <= maxResponseBytes) chunks.push(chunk)
          else {
            control.abort()
            fail(`the answer is larger than ${maxResponseBytes} bytes`, true)
          }
        },
        onEnd: () => {
          clearTimeout(timer)
          resolve({ kind: 'received', ...head, bytes: Buffer.concat(chunks) })
        },
        onError: (error) => fail(networkCause(error), !neverSent(error)),
      },
    )
  })
