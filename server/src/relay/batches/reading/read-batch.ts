import { isObject, type JsonObject, parsedJson } from '../../../dialects/conversation/json.ts'
import type { BatchSum } from '../billing/batch-sum.ts'
import type { BatchKind, BatchState } from '../kinds/batch-kind.ts'
import type { NotedBatch } from '../ports.ts'
import { LineCutter } from './line-cutter.ts'
import { ListCutter } from './list-cutter.ts'
import { ReadFailure, type ReadPlace, type ReadStreamParts, readStream } from './read-stream.ts'

/** State of a batch at its provider. */
export type BatchReading =
  /** Lines are still being processed. */
  | { readonly kind: 'open'; readonly state: BatchState }
  /** All its results were read. */
  | { readonly kind: 'read'; readonly sum: BatchSum; readonly state: BatchState }
  /** It has ended, but its results are gone. */
  | { readonly kind: 'unread'; readonly state: BatchState }
  /** The provider has deleted it. */
  | { readonly kind: 'gone' }
  /** The provider did not answer. */
  | { readonly kind: 'later'; readonly cause: string }

interface ReadBatchParts extends ReadStreamParts {
  readonly kind: BatchKind
  /** A new sum: an incomplete one is discarded. */
  readonly sum: () => BatchSum
  readonly signal?: AbortSignal | undefined
}

/** No member has this name. */
const noList = '\0'
/** Most pages of results of one batch. */
const mostPages = 100_000

const isGone = (status: number): boolean => status === 404 || status === 410
const isRefused = (status: number): boolean => status === 400 || status === 405 || status === 501
const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/** Adds one line of results to a sum. `model` counts where it names none. */
export const addLine = (text: string | undefined, sum: BatchSum, kind: BatchKind, model: string): void => {
  const bytes = text === undefined ? 0 : Buffer.byteLength(text)
  const line = text === undefined ? undefined : parsedJson(text)
  const result = isObject(line) ? kind.lineOf(line) : undefined
  if (result === undefined) sum.addUnread(model, bytes)
  else sum.add(result, model, bytes)
}

class Missing extends Error {}

/** Reads the object of a batch and its results at the provider, line by line. Never rejects. */
export const readBatch = async (batch: NotedBatch, place: ReadPlace, parts: ReadBatchParts): Promise<BatchReading> => {
  const { kind, signal } = parts
  const { objectId: id, address } = batch
  const model = (state?: BatchState): string => state?.model ?? batch.inputs[0]?.model ?? ''

  const json = async (
    path: string,
    list: string,
    entry: (text: string | undefined) => void,
    mayBeMissing = false,
  ): Promise<JsonObject> => {
    const cutter = new ListCutter(list, entry)
    const status = await readStream(path, place, { take: (chunk) => cutter.push(chunk), signal }, parts)
    if (isGone(status) || (mayBeMissing && isRefused(status))) throw new Missing(`status ${status}`)
    if (!isSuccess(status)) throw new ReadFailure(`status ${status}`)
    const frame = cutter.end()
    if (frame === undefined) throw new ReadFailure('no JSON')
    return frame
  }

  const lines = async (path: string, sum: BatchSum, state: BatchState): Promise<void> => {
    const cutter = new LineCutter((text) => addLine(text, sum, kind, model(state)))
    const status = await readStream(path, place, { take: (chunk) => cutter.push(chunk), signal }, parts)
    if (isGone(status)) throw new Missing(`status ${status}`)
    if (!isSuccess(status)) throw new ReadFailure(`status ${status}`)
    cutter.end()
  }

  const pages = async (sum: BatchSum, state: BatchState): Promise<void> => {
    const { pages: paged } = kind
    if (paged === undefined) return
    let after: JsonObject | undefined
    for (let page = 0; page < mostPages; page += 1) {
      const path = paged.at(id, address, after)
      if (path === undefined) return
      after = await json(path, paged.list, (text) => addLine(text, sum, kind, model(state)), paged.mayBeMissing)
    }
    throw new ReadFailure('too many pages')
  }

  const results = async (inside: BatchSum, state: BatchState): Promise<BatchReading> => {
    // Results in the object itself are read already, unless they are incomplete.
    const isRead = inside.figures.lines > 0 && inside.figures.lines >= (state.done ?? 0)
    const sum = isRead ? inside : parts.sum()
    const paths = isRead ? [] : kind.linesAt(id, address, state)
    try {
      if (state.done === 0) return { kind: 'read', sum, state }
      for (const path of paths) await lines(path, sum, state)
      if (!isRead && paths.length === 0) await pages(sum, state)
    } catch (error) {
      if (error instanceof Missing) return { kind: 'unread', state }
      throw error
    }
    const wasPaged = kind.pages !== undefined && (kind.pages.mayBeMissing !== true || sum.figures.lines > 0)
    const wasNamed = isRead || paths.length > 0 || wasPaged
    const isStated = (state.done ?? 0) > 0 || state.usage !== undefined
    return !wasNamed && isStated ? { kind: 'unread', state } : { kind: 'read', sum, state }
  }

  try {
    const sum = parts.sum()
    const read = (): Promise<JsonObject> =>
      json(kind.objectAt(id, address), kind.inside ?? noList, (text) => addLine(text, sum, kind, model()))
    const state = kind.stateOf(await read())
    if (!state.isFinal) return { kind: 'open', state }
    const found = await results(sum, state)
    if (kind.grows !== true || found.kind !== 'read') return found
    // Lines may have been added since.
    return kind.stateOf(await read()).isFinal ? found : { kind: 'open', state }
  } catch (error) {
    if (error instanceof Missing) return { kind: 'gone' }
    return { kind: 'later', cause: error instanceof Error ? error.message : String(error) }
  }
}
