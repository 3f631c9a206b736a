import { cost, receiptOf } from '../../billing/cost.ts'
import { measure } from '../../billing/counting/prompt.ts'
import { withToolsOf } from '../../billing/named-models/other-prices.ts'
import { costsNothing, type Price } from '../../billing/price.ts'
import type { Usage } from '../../billing/usage.ts'
import { type CachedContent, readCachedContent } from '../../dialects/gemini/caching/cached-content.ts'
import { promptReader } from '../../dialects/gemini/prompt.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Client, RelayCall } from '../call.ts'
import { callCost } from '../call-cost.ts'
import { priceFor } from '../exchange/call-price.ts'
import { answerHeaders } from '../exchange/printed-answer.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import { freeBounds, grantedHold, payerOf } from '../holds/granted-hold.ts'
import type { Prices, RelayOptions } from '../ports.ts'
import { type AttemptLog, createAttemptLog } from '../records/attempt-log.ts'
import { chargeRecord } from '../records/record.ts'
import { wordIn } from '../stream/answer-guard.ts'
import type { Headers } from '../upstream/upstream.ts'
import type { Bill, Held, PaidCall } from '../with-hold.ts'
import { storageQuota } from './payments.ts'
import type { CachedContentParts } from './ports.ts'

/** Answer of a provider. */
export type CachedAnswer =
  | { readonly kind: 'answered'; readonly headers: Headers; readonly text: string; readonly requestId: string }
  | { readonly kind: 'refused'; readonly failure: CallFailure }

/** One change of a cached content, and the usage that it causes. */
export interface CachedContentChange {
  readonly call: RelayCall
  /** Maximum usage, before the change. */
  readonly expected: Usage
  ask(options: RelayOptions, log: AttemptLog): Promise<CachedAnswer>
  usedBy(content: CachedContent): Usage
  /** The answer as its client reads it. */
  shown(content: CachedContent, text: string): string
  /** Called with the stored content after payment; `storage` is the part of the charge for storage, in quota units. */
  done(content: CachedContent, log: AttemptLog, storage: number): void
}

type Outcome = CachedAnswer & { readonly content?: CachedContent }

interface Rest {
  readonly content: CachedContent
  readonly storage: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** Creation or extension of a cached content, which costs storage. */
export class CachedContentCall implements PaidCall<Held, Outcome, Rest, CallFailure | undefined> {
  readonly call: RelayCall
  readonly attemptLog = createAttemptLog()
  private readonly change: CachedContentChange
  private readonly client: Client
  private readonly parts: CachedContentParts

  constructor(change: CachedContentChange, client: Client, parts: CachedContentParts) {
    this.call = change.call
    this.change = change
    this.client = client
    this.parts = parts
  }

  hasWord(words: readonly string[]): boolean {
    if (words.length === 0) return false
    return wordIn(measure(promptReader, '', this.call.body).texts.join('\n'), words) !== undefined
  }

  price(prices: Prices): Price {
    return priceFor(prices, this.call)
  }

  async hold(price: Price, options: RelayOptions): Promise<Held> {
    const { overdraft, amounts } = options
    const { caller } = this.call
    const amount = cost(this.change.expected, price)
    const bounds = freeBounds(amount === 0 && costsNothing(price), options, { spare: -overdraft })
    const answer = await this.parts.holds.hold({ ...payerOf(caller), amount, ...bounds })
    return { hold: grantedHold(answer, amounts, caller.keyHint) }
  }

  async run(_: Held, __: Price, options: RelayOptions): Promise<Outcome> {
    const answer = await this.change.ask(options, this.attemptLog)
    if (answer.kind === 'refused') return answer
    const content = readCachedContent(answer.text)
    return content === undefined
      ? { kind: 'refused', failure: failureOf(new AppError('bad_response_body')) }
      : { ...answer, content }
  }

  settle(outcome: Outcome, _: Held, price: Price): Bill<Rest> {
    if (outcome.kind === 'refused') return { kind: 'fail', failure: outcome.failure }
    const { content, headers, text } = outcome
    if (content === undefined) throw new AppError('bad_response_body')
    const { call, attemptLog, parts, change } = this
    const usage = change.usedBy(content)
    const billed = withToolsOf(price, attemptLog.upstreamModel)
    const charged = {
      usage,
      price: billed,
      receipt: receiptOf(usage, billed, { estimated: false }),
      cost: callCost(usage, call, attemptLog, parts.costs),
      end: 'done' as const,
      cause: undefined,
      blockedWord: undefined,
    }
    const record = chargeRecord(call, attemptLog, charged, parts.clock())
    return {
      kind: 'charge',
      record,
      answer: {
        content,
        storage: storageQuota(usage, billed),
        headers,
        bytes: Buffer.from(change.shown(content, text)),
      },
    }
  }

  close(): void {}

  deliver({ content, storage, headers, bytes }: Rest): undefined {
    const { client, parts, call } = this
    try {
      this.change.done(content, this.attemptLog, storage)
      client.head(200, answerHeaders(headers, bytes.length))
      client.end(bytes)
    } catch (error) {
      parts.log('charged_answer_unsent', { request_id: call.id, error })
      client.abandon()
    }
  }

  fail(failure: CallFailure): CallFailure {
    return failure
  }
}
