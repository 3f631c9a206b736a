import type { ChosenLane } from '#server/gateway/deadlines/deadline-calls.ts'
import type { BatchedCalls } from '#server/gateway/own-calls/batched-calls.ts'
import type { LinePlace, PreparedLine } from '#server/relay/batches/lines/batch-lines.ts'
import type { Caller, RelayChannel } from '#server/relay/ports.ts'
import { type Batch, type BatchForm, isFault, type LineOutcome } from '../forms/batch-form.ts'
import { onOneLine } from '../forms/line-members.ts'
import { inputLines, inputStart } from '../input/input-lines.ts'
import { callIdOf } from '../run/line-calls.ts'
import type { LineResult } from '../stored/chunks.ts'
import type { FrozenPrices } from './frozen-prices.ts'
import { kindOfChannel } from './kinds/index.ts'
import type { ProviderKind } from './kinds/provider-kind.ts'

/** All lines of a batch as one provider reads them. */
export interface PreparedBatch {
  readonly place: LinePlace
  readonly kind: ProviderKind
  readonly path: string
  /** The first line's model, as the provider knows it. */
  readonly model: string
  readonly lines: Buffer
  /** The name that this part of the batch has at its provider. */
  readonly mark: string
  readonly prices: FrozenPrices
  /** The most that they may cost, in quota units. */
  readonly most: number
  readonly caller: Caller
  /** Results of lines that are refused as calls would be. */
  readonly refused: readonly LineResult[]
  readonly firstLine: number
  /** The last line of this part of the batch; 0 where it is the rest of it. */
  readonly lastLine: number
}

export interface PrepareParts {
  readonly batch: Batch
  readonly form: BatchForm
  readonly calls: Pick<BatchedCalls, 'prepare'>
  /** Ids of the channels whose provider runs batches. */
  readonly channelIds: () => ReadonlySet<number>
  /** The lane of its lines; absent without a deadline. */
  readonly lane: ChosenLane | undefined
  readonly input: (from: number) => AsyncIterable<Uint8Array>
  readonly longestLine: number
  /** True where lines beyond the bounds of one batch may follow in another. */
  readonly mayPart: boolean
  /** False once the batch is cancelled or left. */
  readonly goesOn: () => boolean
  /** Lines that have results already. */
  readonly done: ReadonlySet<number>
  /** In [0, 1). */
  readonly random: () => number
}

/** The name of a part of a batch at its provider: of letters, digits and `-`, and no other's. */
export const markOf = ({ object_id: id }: Pick<Batch, 'object_id'>, firstLine: number): string =>
  firstLine <= 1 ? id : `${id}-${firstLine}`

/** Models of one batch; more are made line by line. */
const mostModels = 50
const full = 'it is too large'
/** Lines between two moments for other work of the process. */
const linesPerTurn = 50

/** The channel with the highest priority, and the largest weight of those, whose provider has an API for batches. */
const chosen = (
  channels: readonly RelayChannel[],
  ids: ReadonlySet<number>,
  random: () => number,
): LinePlace | undefined => {
  const [channel] = channels
    .filter((one) => ids.has(one.id) && kindOfChannel(one) !== undefined)
    .sort((one, other) => other.priority - one.priority || other.weight - one.weight || one.id - other.id)
  const key = channel?.keys[Math.floor(random() * channel.keys.length)]
  return channel === undefined || key === undefined ? undefined : { channel, key }
}

/** The path of a request below its channel's address, without the query, in which keys may stand; undefined where it has another address. */
const pathOf = ({ url, channel }: PreparedLine): string | undefined =>
  url.startsWith(`${channel.baseUrl}/`) ? url.slice(channel.baseUrl.length).split('?', 1)[0] : undefined

/**
 * Builds the requests of all lines for one account, with the checks of calls. Answers why not, where a provider's batch cannot have them all:
 * nothing was done then.
 */
export const prepareLines = async (parts: PrepareParts): Promise<PreparedBatch | { readonly why: string }> => {
  const { batch, form, calls } = parts
  const ids = parts.channelIds()
  const prices = new Map<string, PreparedLine['price']>()
  const refused: LineResult[] = []
  const pieces: Buffer[] = []
  let first: { readonly line: PreparedLine; readonly kind: ProviderKind; readonly path: string } | undefined
  let [bytes, most, count, read] = [0, 0, 0, 0]
  let [firstLine, lastLine] = [0, 0]

  const choose = (channels: readonly RelayChannel[]): LinePlace | undefined => {
    if (first === undefined) return chosen(channels, ids, parts.random)
    const { channel, key } = first.line
    return channels.some(({ id }) => id === channel.id) ? { channel, key } : undefined
  }

  /** Why the line does not go with the others; `full` where others have taken all the room. */
  const add = (number: number, line: PreparedLine): string | undefined => {
    const kind = first?.kind ?? kindOfChannel(line.channel)
    const path = pathOf(line)
    if (kind === undefined || path === undefined || !kind.takes(path))
      return 'its provider has no batches of such calls'
    if (line.channel.provider.sign !== undefined) return 'its provider has no batches of such calls'
    first ??= { line, kind, path }
    if (path !== first.path) return 'its lines have several paths'
    if (kind.oneModel && line.upstreamModel !== first.line.upstreamModel) return 'its lines have several models'
    const body = onOneLine(line.body.toString())
    if (body === undefined) return 'a line is no JSON'
    const mark = markOf(batch, pieces.length === 0 ? number : firstLine)
    const text = kind.line({ number, path, body: Buffer.from(body), mark })
    const piece = Buffer.from((pieces.length === 0 ? '' : kind.separator) + text)
    if (bytes + piece.length > kind.mostBytes || count === kind.mostLines)
      return pieces.length === 0 ? 'a line is too large' : full
    pieces.push(piece)
    bytes += piece.length
    count += 1
    most += line.most
    prices.set(line.model, line.price)
    return prices.size > mostModels ? 'it has too many models' : undefined
  }

  const refuse = (line: number, id: string, name: string, outcome: LineOutcome): void => {
    const kind = form.hasErrorFile ? 'error' : 'output'
    refused.push({ line, kind, text: form.print({ id, name, outcome }) })
  }

  for await (const { line, text } of inputLines(parts.input(0), inputStart, parts.longestLine)) {
    if (!parts.goesOn()) return { why: 'it ends' }
    read += 1
    if (read % linesPerTurn === 0) await new Promise(setImmediate)
    if (parts.done.has(line)) continue
    const call = text === undefined ? undefined : form.read(text, batch)
    if (call === undefined || isFault(call)) return { why: 'a line is no request' }
    const { name, path, headers, body } = call
    const id = callIdOf(batch, line)
    const prepared = await calls.prepare(
      { id, tokenId: batch.token_id, path, headers, body, ip: batch.ip, lane: parts.lane },
      choose,
    )
    if (prepared === undefined) return { why: 'its lines do not all go to one channel whose provider runs batches' }
    if ('line' in prepared) {
      const why = add(line, prepared.line)
      if (why === full && parts.mayPart) {
        lastLine = line - 1
        break
      }
      if (why !== undefined) return { why }
      if (count === 1) firstLine = line
      continue
    }
    const { status, bytes: answer } = prepared.answer
    // Such refusals pass: they are waited for line by line.
    if (status === 429 || status >= 500) return { why: `a line was refused with status ${status}` }
    refuse(line, id, name, { kind: 'answered', status, body: onOneLine(answer.toString()) ?? 'null', requestId: id })
  }
  if (first === undefined) return { why: 'no line can be made' }
  const { line, kind, path } = first
  const { channel, key, caller, upstreamModel: model } = line
  const lines = Buffer.concat(pieces)
  const mark = markOf(batch, firstLine)
  return { place: { channel, key }, kind, path, model, lines, mark, prices, most, caller, refused, firstLine, lastLine }
}
