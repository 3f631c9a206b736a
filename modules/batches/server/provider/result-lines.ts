import { isObject, type JsonObject, parsedJson } from '#server/dialects/conversation/json.ts'
import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import { LineCutter } from '#server/relay/batches/reading/line-cutter.ts'
import { ListCutter } from '#server/relay/batches/reading/list-cutter.ts'
import { splitUrl, type UpstreamControl } from '#server/relay/upstream/upstream.ts'
import { type AskParts, headersOf } from './ask-provider.ts'
import type { ProviderKind, ProviderLook, ProviderResult } from './kinds/provider-kind.ts'

/** Milliseconds. */
const timeouts = { connect: 30_000, firstByte: 300_000, idle: 300_000 }
/** Pages of one batch. */
const mostPages = 100_000
/** Results that wait before the provider's bytes do. */
const mostWaiting = 64

/** The results of a batch were not read to their end; they can be read again. */
export class ResultsUnread extends Error {}

export interface ResultSource {
  readonly kind: ProviderKind
  /** Path below the channel's address. */
  readonly path: string
  /** Member of the answer that lists the results; absent where each line is one. */
  readonly inside?: string | undefined
}

/** Places of the results of an ended batch: addresses of their own, else its object. */
export const sourcesOf = (
  kind: ProviderKind,
  id: string,
  { results, inside }: Extract<ProviderLook, { state: 'ended' }>,
): ResultSource[] => {
  const paths = inside !== undefined && results.length === 0 ? [kind.look(id).path] : results
  return paths.map((path) => ({ kind, path, inside }))
}

/** Results of lines as they come from the provider, in its order. Throws ResultsUnread. */
export async function* resultLines(
  source: ResultSource,
  place: LinePlace,
  parts: AskParts,
): AsyncGenerator<ProviderResult> {
  const { nextPage } = source.kind
  let path: string | undefined = source.path
  for (let page = 0; path !== undefined; page += 1) {
    if (page === mostPages) throw new ResultsUnread('too many pages')
    const frame = yield* resultsAt({ ...source, path }, place, parts)
    if (nextPage === undefined) return
    if (frame === undefined) throw new ResultsUnread('no JSON')
    path = nextPage(frame, path)
  }
}

/** Results at one address; returns the object around a list of them. */
async function* resultsAt(
  { kind, path: below, inside }: ResultSource,
  place: LinePlace,
  parts: AskParts,
): AsyncGenerator<ProviderResult, JsonObject | undefined> {
  const waiting: ProviderResult[] = []
  let failure: Error | undefined
  let frame: JsonObject | undefined
  let isOver = false
  let wake = (): void => {}
  const take = (text: string | undefined): void => {
    const line = text === undefined ? undefined : parsedJson(text)
    const result = isObject(line) ? kind.readResult(line) : undefined
    if (result !== undefined) waiting.push(result)
  }
  const cutter = inside === undefined ? new LineCutter(take) : new ListCutter(inside, take)
  const { channel } = place
  const { origin, path } = splitUrl(`${channel.baseUrl}${below}`)
  const end = (error?: Error): void => {
    failure = error
    isOver = true
    wake()
  }
  const control: UpstreamControl = parts.upstream.send(
    {
      method: 'GET',
      origin,
      path,
      timeouts,
      headers: { ...headersOf(place, { method: 'GET', path: below }, parts), 'accept-encoding': 'identity' },
      body: undefined,
      proxy: channel.proxy,
    },
    {
      onHead(status) {
        if (status < 200 || status > 299) failure = new ResultsUnread(`status ${status}`)
      },
      onData(chunk) {
        if (failure !== undefined) return
        cutter.push(chunk)
        if (waiting.length > mostWaiting) control.pause()
        wake()
      },
      onEnd() {
        if (failure === undefined) frame = cutter.end() ?? undefined
        end(failure)
      },
      onError: (error) => end(new ResultsUnread(error.message, { cause: error })),
    },
  )
  try {
    for (;;) {
      const next = waiting.shift()
      if (next !== undefined) yield next
      else if (isOver) break
      else {
        control.resume()
        await new Promise<void>((resolve) => {
          wake = resolve
          if (waiting.length > 0 || isOver) resolve()
        })
      }
    }
    if (failure !== undefined) throw failure
    return frame
  } finally {
    if (!isOver) control.abort()
  }
}
