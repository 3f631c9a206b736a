import type { Upstream, UpstreamRequest } from '../../../src/relay/upstream/upstream.ts'

type Answer = { readonly status: number; readonly body: unknown } | Error | 'silence'

/** Answers of an upstream: always the same one, or one by request. */
export type Answers = Answer | ((request: UpstreamRequest) => Answer | Promise<Answer>)

/** An upstream with configured answers that records its requests. A text body that begins with `data:` is a stream. */
export const fixtureUpstream = (answers: Answers): Upstream & { readonly requests: UpstreamRequest[] } => {
  const requests: UpstreamRequest[] = []
  return {
    requests: requests,
    connect() {
      throw new Error('nobody has sessions here')
    },
    send: (request, events) => {
      requests.push(request)
      setImmediate(async () => {
        const answer = typeof answers === 'function' ? await answers(request) : answers
        if (answer === 'silence') return
        if (answer instanceof Error) return events.onError(answer)
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
        const type = text.startsWith('data:') ? 'text/event-stream' : 'application/json'
        events.onHead(answer.status, { 'content-type': type })
        events.onData(Buffer.from(text))
        events.onEnd()
      })
      return { sent: true, pause: () => {}, resume: () => {}, abort: () => {} }
    },
  }
}
