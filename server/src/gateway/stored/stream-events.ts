import { type JsonObject, textIn } from '../../dialects/conversation/json.ts'
import type { Client } from '../../relay/call.ts'

const head = ['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache']

const textOf = (event: JsonObject | undefined): string =>
  event === undefined
    ? ': keep-alive\n\n'
    : `event: ${textIn(event.type) ?? 'message'}\ndata: ${JSON.stringify(event)}\n\n`

/**
 * Sends events as they come; undefined sends a comment. The signal is aborted when the client leaves. Events that throw break the
 * connection, so that the client knows that they have not ended.
 */
export const streamEvents = async (
  client: Client,
  open: (signal: AbortSignal) => AsyncIterable<JsonObject | undefined>,
): Promise<void> => {
  const leaving = new AbortController()
  let drained = Promise.withResolvers<void>()
  client.listen({
    drained: () => drained.resolve(),
    gone() {
      leaving.abort()
      drained.resolve()
    },
  })
  client.head(200, head)
  try {
    for await (const event of open(leaving.signal)) {
      if (leaving.signal.aborted) return
      drained = Promise.withResolvers()
      if (!client.write(textOf(event))) await drained.promise
    }
    client.end()
  } catch {
    if (!leaving.signal.aborted) client.abandon()
  }
}
