import { cost } from '../../billing/cost.ts'
import { estimatePrompt } from '../../billing/counting/prompt.ts'
import { multiply, toNumber } from '../../billing/decimal.ts'
import { withToolsOf } from '../../billing/named-models/other-prices.ts'
import type { Price } from '../../billing/price.ts'
import type { ChannelPrices } from '../../billing/upstream/channel-prices.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { resolveDoubt } from '../../billing/usage-reports.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import { withStreamExtras } from '../../dialects/tools/tools-used.ts'
import { AppError } from '../../lib/app-error.ts'
import { hasLittleMemory } from '../../lib/memory/memory-limit.ts'
import type { RelayCall } from '../call.ts'
import { upstreamPriceOf } from '../call-cost.ts'
import type { RunningStream, StreamForwarder } from '../exchange/exchange.ts'
import { failureOf } from '../failure.ts'
import type { Holds, Recorder, RelayOptions, TokenCounter } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import { beginOf } from '../records/record.ts'
import { largePrompt } from '../usage/body-survey.ts'
import { expectedPrompt } from '../usage/expected-tokens.ts'
import { promptReaderOf } from '../usage/prompt-reader.ts'
import type { CountText } from '../usage/written-text.ts'
import { refusedHold } from './granted-hold.ts'
import type { HeldCall } from './place-hold.ts'
import { RollingHold } from './rolling-hold.ts'

/** A stream with its call and hold. */
export interface HeldStream {
  readonly call: RelayCall
  /** Price of the call at the current channel. */
  readonly priceHere: () => Price
  /** Price of further holds: that of the dearest model that may be answering. */
  readonly priceHeld: () => Price
  readonly attemptLog: AttemptLog
  readonly held: HeldCall
  readonly options: RelayOptions
}

export interface StreamProgressParts {
  readonly holds: Holds
  readonly counter: TokenCounter
  readonly recorder: Recorder
  readonly costs?: ChannelPrices
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

const markEveryMs = 1000
/** Bytes of a stream after which its cost is checked, however quickly they came: as many as are buffered unread. */
const lookEveryBytes = 16 * 1024
/** Lower bound of the bytes of a stream per token. */
const leastBytesPerToken = 2
/** Completion tokens that are held ahead of an answer without a maximum, or this share of its cost, whichever is more. */
const tokensAhead = 1024
const partAhead = 1 / 8

/** Bytes of a stream after which its text is counted and dropped; it is needed only where usage is not reported. */
const mostKeptBytes = 128 * 1024

/** The text that was counted and dropped. */
interface Counted {
  /** In UTF-8. */
  readonly bytes: number
  readonly tokens: number
}

/**
 * Checks a stream once a second, and after so many bytes: writes its usage to the journal, so that a crash can be settled, and extends
 * the hold as the answer outgrows it. The stream ends when nothing more can be held. A shorter call writes nothing: after a crash it was
 * never charged.
 */
export class StreamProgress {
  private readonly of: HeldStream
  private readonly parts: StreamProgressParts
  private lastMark: number
  private marked = false
  private unseen = 0
  private kept = 0
  private lookAfter = lookEveryBytes
  private looking = false
  /** True while the upstream is paused for the running check. */
  private waits = false
  private rolling: RollingHold | undefined
  private counted: Counted = { bytes: 0, tokens: 0 }
  private countedPrompt: number | undefined
  /** Size of the complete answer when it was allowed to finish. */
  private wholeBytes: number | undefined
  private quickPrompt: number | undefined
  private tokenPrice: number | undefined

  constructor(of: HeldStream, parts: StreamProgressParts) {
    this.of = of
    this.parts = parts
    this.lastMark = of.call.startedAt
  }

  /** Counts received bytes and checks the stream if it is time. */
  progressed(forwarder: StreamForwarder, bytes: number, stream: RunningStream): void {
    this.unseen += bytes
    this.kept += bytes
    const now = this.parts.clock()
    const marks = now - this.lastMark >= markEveryMs
    if (marks) {
      this.lastMark = now
      this.mark(forwarder)
    }
    if (!this.looking) {
      if (marks || this.unseen >= this.lookAfter) this.look(forwarder, stream)
      if (!this.looking && this.kept > mostKeptBytes) void this.forget(forwarder, stream)
    } else if (!this.waits && this.unseen >= lookEveryBytes) {
      // Redis and the counter may take long; without the pause a stream would run ahead of its hold or buffer.
      this.waits = true
      stream.pause()
    }
  }

  /** Releases everything beyond the first hold. */
  release(): void {
    this.rolling?.release()
  }

  /** Prompt tokens without a tokenizer. */
  private get roughPrompt(): number {
    this.quickPrompt ??= expectedPrompt(this.of.call)
    return this.quickPrompt
  }

  /** Writes the usage so far. An answer without content is free, after a crash too. */
  private mark(forwarder: StreamForwarder): void {
    if (!forwarder.delivered) return
    const { call, attemptLog, priceHere } = this.of
    const { recorder, costs } = this.parts
    if (!this.marked) {
      const upstreamPrice = upstreamPriceOf(call, attemptLog, costs)
      const prices = { price: withToolsOf(priceHere(), attemptLog.upstreamModel), upstreamPrice }
      recorder.begin(beginOf(call, attemptLog, prices, call.startedAt))
    }
    this.marked = true
    const output = estimatePrompt(bytesOf(forwarder.output()))
    recorder.progress(call.id, usageSoFar(forwarder, this.roughPrompt, output))
  }

  private look(forwarder: StreamForwarder, stream: RunningStream): void {
    const { held } = this.of
    const price = this.of.priceHeld()
    this.unseen = 0
    // A price per call is held from the beginning.
    if (price.perCall !== undefined) return
    const used = this.estimate(forwarder)
    const left = (this.rolling?.amount ?? held.request.amount) - used
    const { unit } = this
    const ahead = held.expected.unbounded ? stepOf(used, unit) : 0
    const affordable = unit > 0 ? ((left - ahead) / unit) * leastBytesPerToken : 0
    this.lookAfter = Math.max(lookEveryBytes, affordable)
    if (left >= ahead) return
    void this.extend(forwarder, stream, used, left < 0)
  }

  /** Extends the hold. The upstream waits while received content is not held, so that at most one step is unpaid. */
  private async extend(forwarder: StreamForwarder, stream: RunningStream, used: number, waits: boolean): Promise<void> {
    const { held, options } = this.of
    const { holds } = this.parts
    const { hold, request } = held
    this.looking = true
    this.waits = waits
    if (waits) stream.pause()
    try {
      this.rolling ??= new RollingHold({ holds, request: { ...request, spare: -options.overdraft }, hold })
      const step = stepOf(used, this.unit)
      const refused =
        (await this.rolling.cover(used, step)) && (await this.rolling.cover(await this.count(forwarder), step))
      if (refused !== undefined && !this.mayFinish(forwarder))
        stream.stop(failureOf(refusedHold(refused, options.amounts)), 'out_of_quota')
    } catch (error) {
      const ours = error instanceof AppError ? error : new AppError('internal_error', { cause: error })
      if (!this.mayFinish(forwarder)) stream.stop(failureOf(ours), 'closed')
    } finally {
      this.looking = false
      const { waits: waited } = this
      // Before the stream resumes, since its next bytes may start the next check.
      this.waits = false
      if (waited) stream.resume()
    }
  }

  /** Counts and drops the text so far. The upstream waits while it delivers faster. */
  private async forget(forwarder: StreamForwarder, stream: RunningStream): Promise<void> {
    this.looking = true
    this.unseen = 0
    // The counting thread takes 60 MB, which would be wasted if usage is reported at the end.
    await this.settle(forwarder, hasLittleMemory() ? estimated : undefined).earlier
    const { waits } = this
    this.looking = false
    // Before the stream resumes, since its next bytes may start the next check.
    this.waits = false
    if (waits) stream.resume()
  }

  private settle(forwarder: StreamForwarder, count?: CountText): AnswerText {
    const { counter } = this.parts
    const { upstreamModel } = this.of.attemptLog
    this.kept = 0
    const produced = forwarder.output()
    produced.settle?.(count ?? ((text) => counter.text(upstreamModel, text)))
    return forwarder.output()
  }

  /**
   * True for an answer that was complete before its hold was refused: it is delivered and charged, since its cost cannot grow. One that
   * grows after all is cut like any other.
   */
  private mayFinish(forwarder: StreamForwarder): boolean {
    if (!forwarder.complete) return false
    const bytes = bytesOf(forwarder.output())
    this.wholeBytes ??= bytes
    return bytes === this.wholeBytes
  }

  /** Approximate quota units of a completion token. */
  private get unit(): number {
    this.tokenPrice ??= tokenPriceOf(this.of.priceHeld())
    return this.tokenPrice
  }

  /** Upper estimate in quota units: text that was not counted costs a token for two bytes. */
  private estimate(forwarder: StreamForwarder): number {
    const { priceHeld, held } = this.of
    const { bytes, tokens } = this.counted
    const output = tokens + Math.ceil((bytesOf(forwarder.output()) - bytes) / leastBytesPerToken)
    const prompt = this.countedPrompt ?? Math.min(held.expected.promptTokens, this.roughPrompt * 2)
    return cost(usageSoFar(forwarder, prompt, output), priceHeld())
  }

  /** Quota units by the model's tokenizer; each piece of text is counted once. */
  private async count(forwarder: StreamForwarder): Promise<number> {
    const { call, priceHeld, attemptLog } = this.of
    const { counter } = this.parts
    const produced = this.settle(forwarder)
    const { text, earlier } = produced
    const bytes = bytesOf(produced)
    const [prompt, before, last] = await Promise.all([
      this.countedPrompt ?? counter.prompt(call.model, promptReaderOf(call), call.body, largePrompt(call)),
      earlier ?? 0,
      text === '' ? 0 : counter.text(attemptLog.upstreamModel, text),
    ])
    this.countedPrompt = prompt
    this.counted = { bytes, tokens: before + last }
    return cost(usageSoFar(forwarder, prompt, this.counted.tokens), priceHeld())
  }
}

const estimated: CountText = async (text) => estimatePrompt(Buffer.byteLength(text))

const stepOf = (used: number, unit: number): number => Math.ceil(Math.max(tokensAhead * unit, used * partAhead, 1))

const bytesOf = ({ text, textBytes }: AnswerText): number => textBytes ?? Buffer.byteLength(text)

/** Price of a token for the longest prompts, where these cost more. */
const tokenPriceOf = ({ unit, rates, contexts = [], groupRatio }: Price): number =>
  toNumber(multiply(unit, (contexts.at(-1)?.rates ?? rates).output, groupRatio))

/** Reported usage, or its beginning and the output since; an estimate where a report is doubted. */
const usageSoFar = (forwarder: StreamForwarder, promptTokens: number, output: number): Usage => {
  const [reported, doubted] = [forwarder.usage(), forwarder.doubted()]
  if (doubted !== undefined) {
    const estimate = { ...noUsage, input: promptTokens, output }
    return withStreamExtras(resolveDoubt({ best: reported, doubted }, estimate).usage, forwarder.extras())
  }
  if (reported !== undefined && !forwarder.isPartial()) return withStreamExtras(reported, forwarder.extras())
  const usage = reported ?? { ...noUsage, input: promptTokens }
  return withStreamExtras({ ...usage, output: Math.max(usage.output, output) }, forwarder.extras())
}
