import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { SigningTools } from '../../providers/provider.ts'
import { splitUrl, type Upstream, type UpstreamRequest } from './upstream.ts'

const largestAnswer = 1024 * 1024

interface JsonRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** The network as a channel reaches it. */
export interface JsonNetwork {
  readonly upstream: Upstream
  readonly channel: { readonly proxy: string }
  readonly limits: { readonly timeouts: Pick<UpstreamRequest['timeouts'], 'connect' | 'firstByte'> }
}

/** An additional request over the call's own network. Throws when the answer is no JSON, or `signal` aborts it. */
export const fetchJson = (
  { method, url, headers, body }: JsonRequest,
  { upstream, channel, limits }: JsonNetwork,
  signal?: AbortSignal,
): Promise<{ readonly status: number; readonly json: JsonObject }> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const { origin, path } = splitUrl(url)
    const { connect, firstByte } = limits.timeouts
    const chunks: Buffer[] = []
    let size = 0
    let status = 0
    const control = upstream.send(
      {
        method,
        origin,
        path,
        headers: { 'accept-encoding': 'identity', ...headers },
        body: typeof body === 'string' ? Buffer.from(body) : body,
        proxy: channel.proxy,
        timeouts: { connect, firstByte, idle: firstByte },
      },
      {
        onHead(answered) {
          status = answered
        },
        onData(chunk) {
          size += chunk.length
          chunks.push(chunk)
          if (size <= largestAnswer) return
          stop(new Error('the answer is too large'))
        },
        onEnd() {
          signal?.removeEventListener('abort', aborted)
          try {
            resolve({ status, json: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject })
          } catch {
            reject(new Error(`status ${status} without JSON`))
          }
        },
        onError(error) {
          signal?.removeEventListener('abort', aborted)
          reject(error)
        },
      },
    )
    const stop = (error: Error): void => {
      signal?.removeEventListener('abort', aborted)
      control.abort()
      reject(error)
    }
    const aborted = (): void => stop(new Error('nobody waits for the answer any more', { cause: signal?.reason }))
    signal?.addEventListener('abort', aborted, { once: true })
  })

/** Clock and network for signing a call, over the network of the call itself. */
export const signingTools = (parts: JsonNetwork & { readonly clock: () => number }): SigningTools => ({
  now: parts.clock,
  post: (request) => fetchJson({ method: 'POST', ...request }, parts),
})
