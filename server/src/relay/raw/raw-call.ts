import type { Receipt } from '@tollgate/contract'
import { dollarsOf } from '../../billing/amounts/amount-text.ts'
import { receiptOf } from '../../billing/cost.ts'
import { toNumber } from '../../billing/decimal.ts'
import type { Decimal, Price } from '../../billing/price.ts'
import type { StatedCost } from '../../billing/stated/stated-costs.ts'
import { type UpstreamCost, upstreamCost } from '../../billing/upstream/upstream-cost.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import { type CallNeed, LimitRefusal } from '../../limits/call-limits.ts'
import { receiptCall } from '../answer-cost/answer-cost.ts'
import { CostHeadClient } from '../answer-cost/cost-client.ts'
import { type BatchCall, mostReadOfAnswer } from '../batches/batch-calls.ts'
import { heldReceipt } from '../batches/billing/batch-record.ts'
import type { CallFacts, Client, PlannedCall } from '../call.ts'
import { knownCost, upstreamPriceOf } from '../call-cost.ts'
import { failureText, type Inspections } from '../captures.ts'
import type { FencedCall } from '../direct/direct-fence.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import { grantedHold, payerOf } from '../holds/granted-hold.ts'
import type { Holds, RelayChannel, RelayOptions, RequestRecord } from '../ports.ts'
import { createAttemptLog } from '../records/attempt-log.ts'
import { adminInfo } from '../records/charge-other.ts'
import { beginOf, common, ofProgram, tookMs } from '../records/record.ts'
import { channelGate } from '../routing/channel-gate.ts'
import { chooseKey } from '../routing/key-choice.ts'
import type { RoutingParts } from '../routing/routed-call.ts'
import { noAnswer } from '../upstream/upstream-failure.ts'
import { type Bill, type Held, type PaidCall, type WithHoldParts, withHold } from '../with-hold.ts'
import { type RawExchangeParts, type RawOutcome, type RawRequest, rawExchange, type WholeRaw } from './raw-exchange.ts'

export interface RawCallParts
  extends Omit<RawExchangeParts, 'models'>,
    Pick<RoutingParts, 'channels' | 'random'>,
    Omit<WithHoldParts, 'channels'> {
  readonly holds: Holds
  /** Absent where no call is captured. */
  readonly inspections?: Inspections
}

type RawFacts = CallFacts & Pick<PlannedCall, 'plan'>

/** A call without billable usage: it has a price per call. */
export interface RawCall {
  readonly facts: RawFacts
  readonly channel: RelayChannel
  readonly request: RawRequest
  /** Path and query at the provider. */
  readonly path: string
  readonly query: string
  /** Units of currency; undefined for a call that costs nothing. */
  readonly price: Decimal | undefined
  /** Access check of objects in the account; absent where there is nothing to separate. */
  readonly fence?: Pick<FencedCall, 'key' | 'sent' | 'list'>
  /** Its effect on batches; absent for nearly all calls. */
  readonly batch?: BatchCall | undefined
}

/** A hold that a batch may take over. */
interface RawHeld extends Held {
  hold: Held['hold']
}

/** The rest of the answer. */
interface Rest {
  readonly whole: WholeRaw | undefined
  readonly end: 'done' | 'upstream_broke' | 'client_gone'
}

/** undefined where the client has received its answer, even if it is a refusal. */
type Result = CallFailure | undefined

class PaidRawCall implements PaidCall<RawHeld, RawOutcome, Rest, Result> {
  readonly call: RawFacts
  readonly attemptLog = createAttemptLog()
  private readonly raw: RawCall
  private client: Client
  private readonly parts: RawCallParts
  /** The provider's own refusal. */
  private refused: WholeRaw | undefined
  /** True where the call created a batch or added to one: its lines are charged instead of the call. */
  private isBatch = false
  /** Maximum quota units of a batch that could not be noted; undefined for other calls. */
  private unnoted: number | undefined

  constructor(raw: RawCall, client: Client, parts: RawCallParts) {
    this.call = raw.facts
    this.raw = raw
    this.client = client
    this.parts = parts
  }

  /** Raw bodies are not searched for blocked words. */
  hasWord(): boolean {
    return false
  }

  price(): Price {
    const { price, model } = this.call.plan
    if (price === undefined) throw new AppError('model_price_error', { params: { model } })
    return { ...price, perCall: this.raw.price }
  }

  async hold(price: Price, { overdraft, amounts }: RelayOptions): Promise<RawHeld> {
    const { keyHint } = this.call.caller
    const amount = this.amount(price)
    const answer = await this.parts.holds.hold({ ...payerOf(this.call.caller), amount, spare: -overdraft })
    return { hold: grantedHold(answer, amounts, keyHint) }
  }

  /** Limits count the maximum cost of a batch before it is created. */
  need(_: RawHeld, price: Price): CallNeed {
    return { input: 0, output: 0, money: this.raw.batch?.makes === true ? this.amount(price) : 0 }
  }

  private amount(price: Price): number {
    return this.raw.batch?.held ?? this.receipt(price)?.quota ?? 0
  }

  async run(held: RawHeld, price: Price, { models }: RelayOptions): Promise<RawOutcome> {
    const { call, attemptLog, parts, raw } = this
    await raw.batch?.before()
    const { channel, request } = raw
    const { health } = parts.channels
    const startedAt = parts.clock()
    const gate = channelGate(call, attemptLog.need, parts)
    const isFull = gate && ((seed: number) => gate.keyIsFull(channel, seed))
    const { fence } = raw
    const key = fence?.key ?? chooseKey(channel, undefined, { random: parts.random, health, isFull, now: startedAt })
    fence?.sent(key)
    const entry = await gate?.enter(channel, key)
    if (entry instanceof LimitRefusal) throw gate?.refusal ?? entry
    attemptLog.limitEntry = entry
    Object.assign(attemptLog, { channel, channelId: channel.id, key, upstreamModel: call.model })
    const { path, query } = raw
    const providerCall = {
      channel,
      key,
      path,
      query,
      model: call.model,
      stream: false,
      passed: {},
      options: models,
      defaultApiVersion: parts.limits.defaultApiVersion,
    }
    // A batch is charged when its answers are available.
    if (call.costAsked !== undefined && raw.batch?.makes !== true) {
      const dollars = dollarsOf(this.receipt(price) ?? this.free(price))
      this.client = new CostHeadClient(this.client, { dollars, receipt: call.id })
    }
    const whole = fence?.list !== undefined || raw.batch?.makes === true
    const exchange = (url: string): Promise<RawOutcome> =>
      rawExchange(
        { ...request, url, whole, capture: call.capture, begun: () => this.begin(price) },
        { channel, key, call: providerCall },
        this.client,
        { ...parts, models },
      )
    const outcome = await this.fenced(await exchange(request.url), exchange, key)
    const failure = outcome.kind === 'refused' ? outcome.refusal.failure : undefined
    const tookMs = parts.clock() - startedAt
    attemptLog.attempts.push({
      channel: channel.id,
      channel_name: channel.name,
      started_ms: startedAt - call.startedAt,
      duration_ms: tookMs,
      status: failure?.status ?? (outcome.kind === 'answered' ? 200 : 0),
      error: failure?.cause ?? (outcome.kind === 'client_gone' ? 'the client has gone' : ''),
      ...(outcome.requestId === '' ? {} : { request_id: outcome.requestId }),
    })
    if (outcome.kind !== 'client_gone') parts.channels.report(channel, failure, key, call.model, tookMs, -1)
    if (outcome.kind === 'answered') await this.noteBatch(outcome, held, key)
    return outcome
  }

  /** Notes a batch before its client gets the answer; the batch takes over the hold. */
  private async noteBatch({ whole }: RawOutcome & { kind: 'answered' }, held: RawHeld, key: string): Promise<void> {
    const { batch } = this.raw
    if (batch === undefined || whole === undefined) return
    const isRead = whole.bytes.length <= mostReadOfAnswer
    const json = isRead ? parsedJson(whole.bytes.toString()) : undefined
    if (isRead && !isObject(json)) return
    try {
      this.isBatch = (await batch.answered(isObject(json) ? json : undefined, key, held.hold)) && batch.makes
      if (this.isBatch) held.hold = undefined
    } catch (error) {
      // The provider executes it nevertheless: a batch that cannot be charged later is charged its maximum cost now.
      this.parts.log('batch_not_noted', { request_id: this.call.id, error })
      if (batch.makes && batch.held !== undefined) this.unnoted = held.hold?.quota
    }
  }

  /** Writes a begin record: a partly delivered answer is charged even if this process ends before it. */
  private begin(price: Price): void {
    const { call, attemptLog, parts, raw } = this
    if (raw.price === undefined) return
    const upstream = upstreamPriceOf(call, attemptLog, parts.costs)
    const upstreamPrice = upstream?.perCall === undefined ? undefined : upstream
    parts.recorder.begin(beginOf(call, attemptLog, { price, upstreamPrice }, call.startedAt))
    parts.recorder.progress(call.id, oneCall)
  }

  /** A list filtered for its caller, perhaps of a later page. */
  private async fenced(
    first: RawOutcome,
    exchange: (url: string) => Promise<RawOutcome>,
    key: string,
  ): Promise<RawOutcome> {
    const { channel, request, fence } = this.raw
    let outcome = first
    for (let pages = 1; fence?.list !== undefined; pages += 1) {
      if (outcome.kind !== 'answered' || outcome.whole === undefined) return outcome
      const { whole } = outcome
      try {
        const page = await fence.list(whole.bytes, pages === mostPages)
        if (page.kind === 'page') return { ...outcome, whole: withBytes(whole, page.bytes) }
        outcome = await exchange(withQuery(request.url, page.query))
      } catch (error) {
        const { code } = error instanceof AppError ? error : new AppError('internal_error')
        const refusal = noAnswer({ code, cause: `list: ${reasonOf(error)}`, status: 0 }, channel, key)
        return { kind: 'refused', refusal, answer: undefined, requestId: outcome.requestId }
      }
    }
    return outcome
  }

  settle(outcome: RawOutcome, _: RawHeld, price: Price, { amounts }: RelayOptions): Bill<Rest> {
    if (outcome.kind === 'client_gone') return { kind: 'fail', failure: failureOf(new AppError('client_gone')) }
    if (outcome.kind === 'refused') {
      this.refused = outcome.answer
      return { kind: 'fail', failure: outcome.refusal.answer }
    }
    const { whole, end, stated } = outcome
    const cost = this.cost(stated, amounts.quotaPerUnit)
    return { kind: 'charge', record: this.recordOf(price, end, cost), answer: { whole, end } }
  }

  /** undefined for a call that costs nothing. */
  private receipt(price: Price): Receipt | undefined {
    if (this.unnoted !== undefined) return heldReceipt(this.unnoted, 'not_noted')
    return this.raw.price === undefined || this.isBatch ? undefined : receiptOf(oneCall, price, { estimated: false })
  }

  private free(price: Price): Receipt {
    return receiptOf(noUsage, { ...price, perCall: undefined }, { estimated: false })
  }

  /** Cost as its provider states it, or its price per call there. */
  private cost(stated: StatedCost | undefined, quotaPerUnit: number): UpstreamCost | undefined {
    const { call, attemptLog, parts } = this
    const upstream = upstreamPriceOf(call, attemptLog, parts.costs)
    const computed = upstream?.perCall === undefined || this.isBatch ? undefined : upstreamCost(oneCall, upstream)
    return knownCost({ computed, stated, estimated: false, quotaPerUnit }, call, attemptLog, parts.costs)
  }

  private recordOf(price: Price, end: Rest['end'], cost: UpstreamCost | undefined): RequestRecord {
    const { call, attemptLog, parts } = this
    const receipt = this.receipt(price) ?? this.free(price)
    if (call.costAsked !== undefined) receipt.call = receiptCall(call, noUsage)
    const modelPrice = this.raw.price === undefined || this.isBatch ? 0 : toNumber(this.raw.price)
    const groupRatio = toNumber(price.groupRatio)
    const now = parts.clock()
    const record: RequestRecord = {
      ...common(call, attemptLog, now),
      kind: 'charge',
      quota: receipt.quota,
      cost: cost?.quota,
      promptTokens: 0,
      completionTokens: 0,
      useTime: Math.floor(tookMs(call, now) / 1000),
      content: `模型固定价格 ${modelPrice.toFixed(2)}，分组倍率 ${groupRatio.toFixed(2)}`,
      other: {
        model_price: modelPrice,
        group_ratio: groupRatio,
        end,
        ...ofProgram(call),
        path: call.path,
        duration_ms: tookMs(call, now),
        ...(call.capture?.taken === true ? { inspected: true } : {}),
        admin_info: adminInfo(attemptLog, { cost }),
      },
      receipt,
    }
    call.capture?.recorded(record)
    return record
  }

  close(): void {}

  deliver({ whole, end }: Rest): Result {
    const { client, parts, call } = this
    try {
      if (end === 'upstream_broke') client.abandon()
      else if (whole !== undefined) sendWhole(client, whole)
      else client.end()
    } catch (error) {
      parts.log('charged_answer_unsent', { request_id: call.id, error })
      client.abandon()
    }
    return undefined
  }

  fail(failure: CallFailure): Result {
    const { refused, client } = this
    if (refused === undefined || client.gone) return failure
    sendWhole(client, refused)
    return undefined
  }
}

/** Most pages of a list that are read for an entry of its caller. */
const mostPages = 10

const withQuery = (url: string, changes: Readonly<Record<string, string>>): string => {
  const address = new URL(url)
  for (const [name, value] of Object.entries(changes)) address.searchParams.set(name, value)
  return address.href
}

const withBytes = ({ status, head }: WholeRaw, bytes: Buffer): WholeRaw => {
  const at = head.findIndex((value, index) => index % 2 === 0 && /^content-length$/i.test(value))
  return { status, bytes, head: at < 0 ? head : head.with(at + 1, String(bytes.length)) }
}

const oneCall: Usage = { ...noUsage, input: 1 }

const sendWhole = (client: Client, { status, head, bytes }: WholeRaw): void => {
  client.head(status, head)
  client.end(bytes)
}

/** Makes raw calls. Never rejects; a refused call is free, and recorded. */
export const openRawCalls = (parts: RawCallParts) => {
  const captureOf = ({ facts, request, query }: RawCall) =>
    parts.inspections?.open({
      ...facts,
      raw: request.body ?? Buffer.alloc(0),
      query,
      passed: request.headers,
      accept: undefined,
      contentType: request.headers['content-type'],
    })
  return {
    /**
     * Makes a call. Returns the failure that is still to be sent; undefined where the client has its answer. `print` renders a failure
     * for the client.
     */
    async answer(raw: RawCall, client: Client, print?: (failure: CallFailure) => string): Promise<Result> {
      const capture = captureOf(raw)
      if (capture === undefined) return withHold(new PaidRawCall(raw, client, parts), parts)
      const inspected = { ...raw, facts: { ...raw.facts, capture } }
      const failure = await withHold(new PaidRawCall(inspected, capture.tap(client), parts), parts)
      capture.ended(failure && failureText(failure, print))
      return failure
    },
  }
}

export type RawCalls = ReturnType<typeof openRawCalls>
