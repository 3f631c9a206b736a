import type { ChosenLane } from '#server/gateway/deadlines/deadline-calls.ts'
import type { BatchedCalls } from '#server/gateway/own-calls/batched-calls.ts'
import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import type { Batch, BatchForm, BatchLine, LineOutcome } from '../forms/batch-form.ts'
import { onOneLine } from '../forms/line-members.ts'
import { inputStart } from '../input/input-lines.ts'
import { callIdOf } from '../run/line-calls.ts'
import { runLines } from '../run/run-lines.ts'
import type { RunMode } from '../run/run-mode.ts'
import type { Progress } from '../stored/batch-store.ts'
import { type BatchChunks, chunksOf } from '../stored/chunks.ts'
import type { FrozenPrices } from './frozen-prices.ts'
import type { ProviderResult } from './kinds/provider-kind.ts'

export interface LineSettleParts {
  readonly batch: Batch
  readonly form: BatchForm
  /** undefined where its channel is gone: then it has no results. */
  readonly place: LinePlace | undefined
  readonly prices: FrozenPrices
  readonly calls: Pick<BatchedCalls, 'settle'>
  readonly chunks: Pick<BatchChunks, 'doneLines'>
  readonly mode: RunMode
  /** The lane of its lines; absent without a deadline. */
  readonly lane: ChosenLane | undefined
  /** True where lines that were not begun are left to the own runner. */
  readonly leavesRest: boolean
  readonly input: (from: number) => AsyncIterable<Uint8Array>
  readonly longestLine: number
  readonly linesAtOnce: () => number
  /** Writes a group of results that follows the chunk of number `after`. */
  readonly write: (group: Progress, after: number) => Promise<void>
  /** Charges an answer whose call cannot be read any more. */
  readonly chargeUnread: (line: number, id: string, answer: Buffer) => Promise<void>
}

/** Bytes of results that are in memory at a time. */
const mostInMemory = 8 * 1024 * 1024
/** Bytes of an answer. */
const longestAnswer = 32 * 1024 * 1024

/** The charge was not written, or its checks could not be made: the line is settled again later. */
export class LineUnsettled extends Error {}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const unreadable: LineOutcome = {
  kind: 'failed',
  fault: { fault: 'unreadable_answer', message: 'The answer cannot be read any more.', param: null },
}

/** Settles results of a batch line by line: each answer is printed in the dialect of its request, and charged once. */
export const openSettling = async (parts: LineSettleParts) => {
  const { batch, form, place, prices, calls, mode } = parts
  /** Done lines are settled although the batch was cancelled meanwhile. */
  let hasFailed = false
  const goingOn: RunMode = {
    ...mode,
    get current() {
      return hasFailed || mode.current === 'left' ? 'left' : 'run'
    },
    set: () => {
      // A line that cannot be settled ends the settling, and leaves the batch with its runner.
      hasFailed = true
    },
  }
  const done = await parts.chunks.doneLines(batch.id, inputStart.line)
  let written = batch.chunks
  const [usual] = prices.values()
  const priceOf = (model: string) => {
    const price = prices.get(model) ?? usual
    if (price === undefined) throw new Error(`batch ${batch.id} has no prices`)
    return price
  }

  const settleOne = async (
    line: number,
    { path, headers, body }: BatchLine,
    result: ProviderResult,
  ): Promise<LineOutcome | undefined> => {
    if (result.kind === 'skipped' && parts.leavesRest) return undefined
    if (result.kind === 'skipped') return { kind: batch.cancelling_time > 0 ? 'cancelled' : 'expired' }
    if (place === undefined) throw new LineUnsettled(`line ${line}: its channel is gone`)
    const id = callIdOf(batch, line)
    const call = { id, tokenId: batch.token_id, path, headers, body, ip: batch.ip, lane: parts.lane }
    const { answer, isRead } = await calls.settle(
      call,
      { status: result.status, body: result.body, priceOf },
      place,
      longestAnswer,
    )
    if (!isRead && isSuccess(result.status)) {
      if (answer.status === 429 || answer.status >= 500)
        throw new LineUnsettled(`line ${line}: status ${answer.status}`)
      await parts.chargeUnread(line, id, result.body)
      return unreadable
    }
    if (isSuccess(result.status) && (answer.status === 500 || answer.status === 503))
      throw new LineUnsettled(`line ${line}: status ${answer.status}`)
    const text = answer.isCut ? undefined : onOneLine(answer.bytes.toString())
    return text === undefined ? unreadable : { kind: 'answered', status: answer.status, body: text, requestId: id }
  }

  /** Ends the lines that `has` says, in one reading of the input. */
  const pass = async (
    has: (line: number) => boolean,
    make: (line: number, call: BatchLine) => Promise<LineOutcome | undefined>,
  ): Promise<void> => {
    const others: ReadonlySet<number> = Object.assign(new Set<number>(), {
      has: (line: number) => done.has(line) || !has(line),
    })
    await runLines({
      form,
      batch: { ...batch, next_line: inputStart.line, next_offset: inputStart.offset },
      done: others,
      mode: goingOn,
      input: ({ offset }) => parts.input(offset),
      longestLine: parts.longestLine,
      atOnce: parts.linesAtOnce,
      make,
      async write(group) {
        // Results come in any order: what is done is known by the lines that have one.
        await parts.write({ ...group, next: inputStart }, written)
        written += chunksOf(group.results)
        for (const { line } of group.results) done.add(line)
      },
      idOf: (line) => callIdOf(batch, line),
    })
  }

  return {
    /** Lines that have results. */
    get doneCount() {
      return done.size
    },
    /** Settles results as they come; what is settled already is passed over. */
    async settle(results: AsyncIterable<ProviderResult>): Promise<void> {
      let some = new Map<number, ProviderResult>()
      let bytes = 0
      const flush = async (): Promise<void> => {
        if (some.size === 0) return
        const now = some
        some = new Map()
        bytes = 0
        await pass(
          (line) => now.has(line),
          async (line, call) => {
            const result = now.get(line)
            return result && settleOne(line, call, result)
          },
        )
      }
      for await (const result of results) {
        if (mode.current === 'left') return
        if (done.has(result.line) || some.has(result.line)) continue
        some.set(result.line, result)
        bytes += result.kind === 'answered' ? result.body.length : 0
        if (bytes > mostInMemory) await flush()
      }
      await flush()
    },
    /** Ends the lines up to `last` that have no result. */
    rest: (outcome: LineOutcome, last = Number.POSITIVE_INFINITY): Promise<void> =>
      pass(
        (line) => line <= last,
        async () => outcome,
      ),
  }
}
