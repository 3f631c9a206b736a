import type { Upstream, UpstreamRequest } from '../../relay/upstream.ts'

/** An upstream that answers every request the same way and remembers what it was asked. */
export const fixtureUpstream = (
  answer: { status: number; body: unknown } | Error,
): Upstream & { readonly asked: UpstreamRequest[] } => {
  const asked: UpstreamRequest[] = []
  return {
    asked,
    send: (request, events) => {
      asked.push(request)
      setImmediate(() => {
        if (answer instanceof Error) return events.onError(answer)
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
        events.onHead(answer.status, { 'content-type': 'application/json' })
        events.onData(Buffer.from(text))
        events.onEnd()
      })
      return { pause: () => {}, resume: () => {}, abort: () => {} }
    },
  }
}
