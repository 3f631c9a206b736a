import { AppError } from '../../lib/app-error.ts'
import type { Client } from '../call.ts'
import { unreadIdle } from '../exchange/attempt-request.ts'
import type { RelayLimits } from '../exchange/exchange.ts'
import { answerHeaders, streamHead } from '../exchange/printed-answer.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import type { Caller, Channels, RelayOptions } from '../ports.ts'
import { networkFailure } from '../upstream/network-failure.ts'
import { type Headers, headerText, splitUrl, type Upstream, type UpstreamControl } from '../upstream/upstream.ts'
import type { StoredResponses } from './stored-responses.ts'

export interface StoredResponseCallParts {
  readonly channels: Channels
  readonly upstream: Upstream
  readonly limits: RelayLimits
  readonly storedResponses: StoredResponses
  readonly options: () => RelayOptions
}

/** A call about a response that its provider stores. */
export interface StoredResponseCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly id: string
  /** Path of the call at the provider. */
  readonly path: string
  readonly query: string
  readonly caller: Caller
}

export interface StoredResponseCalls {
  /** Passes the call to the channel that stores the response. Throws AppError('response_not_found'). */
  pass(call: StoredResponseCall, client: Client): Promise<CallFailure | undefined>
}

/**
 * `GET`, `DELETE` and the other calls about a stored response. They cost nothing. A response that the key may not read is answered
 * like one that does not exist.
 */
export const createStoredResponseCalls = ({
  channels,
  upstream,
  limits,
  storedResponses,
  options,
}: StoredResponseCallParts): StoredResponseCalls => ({
  async pass({ method, id, path, query, caller }, client) {
    const found = await storedResponses.find(id, caller)
    const place = found === 'hidden' ? undefined : found
    const channel = place && channels.snapshot().byId(place.channelId)
    const key = channel?.keys.find((candidate) => storedResponses.keyHashOf(candidate) === place?.keyHash)
    if (channel === undefined || key === undefined) throw new AppError('response_not_found', { params: { id } })
    const { provider } = channel
    const { defaultApiVersion, maxResponseBytes, timeouts } = limits
    const { models } = options()
    const providerCall = {
      channel,
      key,
      path,
      query,
      model: '',
      stream: false,
      passed: {},
      defaultApiVersion,
      options: models,
    }
    const address = splitUrl(provider.url(providerCall))
    return new Promise((resolve) => {
      const chunks: Buffer[] = []
      let head: { status: number; headers: Headers } = { status: 502, headers: {} }
      let size = 0
      let streams = false
      let control: UpstreamControl | undefined
      const done = (failure?: CallFailure): void => resolve(failure)
      client.listen({
        drained: () => control?.resume(),
        gone: () => {
          control?.abort()
          done()
        },
      })
      control = upstream.send(
        {
          method,
          origin: address.origin,
          path: address.path,
          headers: { ...provider.headers(providerCall), 'accept-encoding': 'identity' },
          body: undefined,
          proxy: channel.proxy,
          timeouts: { connect: timeouts.connect, firstByte: timeouts.firstByte, idle: unreadIdle(timeouts) },
        },
        {
          onHead(status, headers) {
            head = { status, headers }
            streams = headerText(headers, 'content-type').startsWith('text/event-stream')
            if (streams) client.head(status, streamHead)
          },
          onData(chunk) {
            size += chunk.length
            if (streams) {
              if (!client.write(chunk)) control?.pause()
              return
            }
            if (size <= maxResponseBytes) chunks.push(chunk)
          },
          onEnd() {
            if (streams) client.end()
            else if (size > maxResponseBytes) return done(failureOf(new AppError('bad_response_body')))
            // The channel's key is refused, not the client's.
            else if (head.status === 401) return done(failureOf(new AppError('credentials_failed')))
            else {
              const bytes = Buffer.concat(chunks)
              client.head(head.status, answerHeaders(head.headers, bytes.length))
              client.end(bytes)
            }
            done()
          },
          onError(error) {
            const { code } = networkFailure(error, { began: false })
            done(failureOf(new AppError(code, { cause: error })))
          },
        },
      )
    })
  },
})
