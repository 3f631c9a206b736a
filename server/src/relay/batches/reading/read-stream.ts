import type { ModelOptions, ProviderCall, SigningTools } from '../../../providers/provider.ts'
import type { RelayLimits } from '../../exchange/exchange.ts'
import { withHeaderOverride } from '../../exchange/header-override.ts'
import type { RelayChannel } from '../../ports.ts'
import { fetchJson } from '../../upstream/fetch-json.ts'
import { splitUrl, type Upstream } from '../../upstream/upstream.ts'

export interface ReadStreamParts {
  readonly upstream: Upstream
  readonly limits: Pick<RelayLimits, 'timeouts' | 'defaultApiVersion'>
  readonly models: () => ModelOptions
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Which key of which channel asks. */
export interface ReadPlace {
  readonly channel: RelayChannel
  readonly key: string
}

/** The provider did not answer, or broke off its answer: a retry is allowed. */
export class ReadFailure extends Error {}

const headersOf = async (path: string, { channel, key }: ReadPlace, parts: ReadStreamParts) => {
  const { provider } = channel
  const url = `${channel.baseUrl}${path}`
  const call: ProviderCall = {
    channel,
    key,
    path,
    query: '',
    model: '',
    stream: false,
    passed: {},
    options: parts.models(),
    defaultApiVersion: parts.limits.defaultApiVersion,
  }
  const own = withHeaderOverride(provider.headers(call), channel, key)
  const headers = { ...own, 'accept-encoding': 'identity' }
  if (provider.sign === undefined) return { url, headers }
  const tools: SigningTools = {
    now: parts.clock,
    post: (asked) =>
      fetchJson({ method: 'POST', ...asked }, { channel, upstream: parts.upstream, limits: parts.limits }),
  }
  return provider.sign({ call, url, headers, body: Buffer.alloc(0) }, tools)
}

/**
 * Reads an address below a channel's in chunks, with the channel's credentials and proxy. Returns the status; only chunks of a success
 * are given to `take`. Throws ReadFailure where the answer is incomplete, or `signal` aborts it.
 */
export const readStream = async (
  path: string,
  place: ReadPlace,
  { take, signal }: { readonly take: (chunk: Buffer) => void; readonly signal?: AbortSignal | undefined },
  parts: ReadStreamParts,
): Promise<number> => {
  const { url, headers } = await headersOf(path, place, parts)
  const { connect, firstByte, streamIdle } = parts.limits.timeouts
  const { origin, path: target } = splitUrl(url)
  return new Promise((resolve, reject) => {
    let status = 0
    const ended = (): void => signal?.removeEventListener('abort', stop)
    const stop = (): void => {
      ended()
      control.abort()
      reject(new ReadFailure('stopped'))
    }
    const control = parts.upstream.send(
      {
        method: 'GET',
        origin,
        path: target,
        headers,
        body: undefined,
        proxy: place.channel.proxy,
        timeouts: { connect, firstByte, idle: streamIdle },
      },
      {
        onHead(answered) {
          status = answered
        },
        onData(chunk) {
          if (status < 200 || status > 299) return
          try {
            take(chunk)
          } catch (error) {
            ended()
            control.abort()
            reject(error instanceof Error ? error : new Error(String(error)))
          }
        },
        onEnd() {
          ended()
          resolve(status)
        },
        onError(error) {
          ended()
          reject(new ReadFailure(error.message, { cause: error }))
        },
      },
    )
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
