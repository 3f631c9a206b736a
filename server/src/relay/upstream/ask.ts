import { type Headers, headerText, splitUrl, type Upstream, type UpstreamControl } from './upstream.ts'

/** A small question to an upstream outside of a call. */
export interface Question {
  /** GET when absent. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: Buffer
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty for none. */
  readonly proxy: string
  /** Milliseconds for everything together. */
  readonly timeoutMs: number
  /** Bytes of the answer, as `reduce` leaves them. */
  readonly maxBytes: number
  /** Shortens the answer while it comes, such as large content that is not read; absent where all of it counts. */
  readonly reduce?: ((chunk: Buffer) => Buffer) | undefined
}

export interface SmallAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The header Retry-After; undefined without one. */
  readonly retryAfter: string | undefined
}

/** Sends a request and collects its answer. Rejects when the network fails, the answer is too large or too late. */
export const ask = (upstream: Upstream, question: Question): Promise<SmallAnswer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let status = 0
    let head: Headers = {}
    let control: UpstreamControl | undefined
    const end = (finish: () => void): void => {
      clearTimeout(timer)
      finish()
    }
    const giveUp = (reason: string): void => {
      control?.abort()
      end(() => reject(new Error(reason)))
    }
    const timer = setTimeout(() => giveUp('timeout'), question.timeoutMs)
    const { origin, path } = splitUrl(question.url)
    const timeouts = { connect: question.timeoutMs, firstByte: question.timeoutMs, idle: question.timeoutMs }
    const ownHeaders = { accept: 'application/json', 'accept-encoding': 'identity', ...question.headers }
    control = upstream.send(
      {
        method: question.method ?? 'GET',
        origin,
        path,
        headers: ownHeaders,
        body: question.body,
        proxy: question.proxy,
        timeouts,
      },
      {
        onHead: (code, headers) => {
          status = code
          head = headers
        },
        onData: (received) => {
          const chunk = question.reduce?.(received) ?? received
          size += chunk.length
          if (size > question.maxBytes) giveUp('the answer is too large')
          else chunks.push(chunk)
        },
        onEnd: () => {
          const retryAfter = headerText(head, 'retry-after') || undefined
          end(() => resolve({ status, headers: head, text: Buffer.concat(chunks).toString(), retryAfter }))
        },
        onError: (error) => end(() => reject(error)),
      },
    )
  })
