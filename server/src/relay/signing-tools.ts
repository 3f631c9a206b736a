import type { SigningTools } from '../providers/provider.ts'
import type { AttemptParts } from './outcome.ts'
import { splitUrl } from './upstream.ts'

const largestAnswer = 1024 * 1024

/** What a provider may need to sign a call, over the network that the call itself takes. */
export const signingTools = ({ upstream, channel, limits, clock }: AttemptParts): SigningTools => ({
  now: clock,
  post: ({ url, headers, body }) =>
    new Promise((resolve, reject) => {
      const { origin, path } = splitUrl(url)
      const { connect, firstByte } = limits.timeouts
      const chunks: Buffer[] = []
      let size = 0
      let status = 0
      const control = upstream.send(
        {
          method: 'POST',
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
            control.abort()
            reject(new Error('the answer is too large'))
          },
          onEnd() {
            try {
              resolve({ status, json: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown> })
            } catch {
              reject(new Error(`status ${status} without JSON`))
            }
          },
          onError: reject,
        },
      )
    }),
})
