import { parseObject } from '@tollgate/contract/json'
import { dollarsOf } from '../../billing/amounts/amount-text.ts'
import { toNumber } from '../../billing/decimal.ts'
import { costsNothing, type Price } from '../../billing/price.ts'
import type { StatedCost } from '../../billing/stated/stated-costs.ts'
import { type UpstreamCost, upstreamCost } from '../../billing/upstream/upstream-cost.ts'
import { noUsage } from '../../billing/usage.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import { receiptCall } from '../answer-cost/answer-cost.ts'
import type { CallFacts, PlannedCall } from '../call.ts'
import { knownCost, upstreamPriceOf } from '../call-cost.ts'
import { failureText, type Inspections } from '../captures.ts'
import { plannedPrice } from '../exchange/call-price.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import { freeBounds, payerOf, refusedHold } from '../holds/granted-hold.ts'
import type { Holds, RelayChannel, RelayOptions, RequestRecord, TaskStart } from '../ports.ts'
import { createAttemptLog } from '../records/attempt-log.ts'
import { adminInfo } from '../records/charge-other.ts'
import { common, ofProgram, tookMs } from '../records/record.ts'
import type { AttemptResult, ChannelAttempt } from '../routing/channel-attempt.ts'
import { lacksChannel } from '../routing/no-channel.ts'
import type { RoutedCall, RoutingParts } from '../routing/routed-call.ts'
import { tryChannels } from '../routing/try-channels.ts'
import { wordIn } from '../stream/answer-guard.ts'
import { redact } from '../upstream/redact.ts'
import { plainRequestId } from '../upstream/request-id.ts'
import { type Bill, type Held, type PaidCall, type WithHoldParts, withHold } from '../with-hold.ts'
import { askService, type ServiceAnswer, type ServiceParts } from './ask-service.ts'
import { withCostOf } from './present.ts'
import { type ClientAnswer, failureOfRefusal, refusalAnswer, type TaskRefusal, TaskRefused } from './refusal.ts'
import { taskChoices } from './task-choices.ts'
import { type PricedTask, taskReceipt, taskUsage } from './task-price.ts'
import type { Verdict } from './verdict.ts'

export interface SubmitParts extends ServiceParts, RoutingParts, Omit<WithHoldParts, 'channels'> {
  readonly holds: Holds
  /** Resolves when the charge of a request is in the database, or after `mostMs` milliseconds. */
  readonly arrived: (requestId: string, mostMs: number) => Promise<void>
  readonly keyHashOf: (key: string) => string
  /** Absent where no call is captured. */
  readonly inspections?: Inspections
}

/** Result for a client: an answer in its platform's format, or a failure that is still to be printed. */
export type TaskAnswer = ClientAnswer | { readonly failure: CallFailure }

interface Delivery {
  readonly answer: ClientAnswer
  /** Resolves when the task's row can be found. */
  readonly arrival: Promise<void>
}

/** One task to begin, checked and written for the upstream. */
export interface Submission {
  /** Bound to a channel where it continues another task. */
  readonly call: CallFacts & RoutedCall & Pick<PlannedCall, 'plan'>
  readonly platform: TaskPlatform
  readonly action: string
  readonly free: boolean
  /** Upstream's path with its query. */
  readonly path: string
  readonly body: Buffer
  readonly accept: string | undefined
  /** Visible prompt, which is checked for blocked words. */
  readonly prompt: string
  readonly verdict: (answer: ServiceAnswer, redacted: (text: string) => string) => Verdict
  readonly quotaRefusal: TaskRefusal
}

const timeoutMs = 60_000
/** Milliseconds. The client queries its task at once; its row should exist by then. */
const arrivalMs = 2000

/** Attempts of a submission at successive channels. */
class SubmissionAttempt implements ChannelAttempt<Verdict> {
  private readonly submission: Submission
  private readonly parts: ServiceParts
  private requestId = ''
  /** Cost that the service's answer states. */
  stated: StatedCost | undefined

  constructor(submission: Submission, parts: ServiceParts) {
    this.submission = submission
    this.parts = parts
  }

  /** The same bytes go to every channel. */
  prepare(): void {}

  async send(channel: RelayChannel, key: string): Promise<Verdict> {
    const { platform, path, body, accept, verdict, call } = this.submission
    const { capture } = call
    const question = { platform, channel, key, method: 'POST', path, body, accept, timeoutMs, capture } as const
    const answer = await askService(question, this.parts)
    this.requestId = answer.kind === 'answered' ? answer.requestId : ''
    this.stated = answer.kind === 'answered' ? answer.stated : undefined
    const status = answer.kind === 'answered' ? (channel.statusCodeMapping.get(answer.status) ?? answer.status) : 0
    const mapped = answer.kind === 'answered' ? { ...answer, status } : answer
    return verdict(mapped, (text) => redact(text, { key, baseUrl: channel.baseUrl }))
  }

  resultOf(verdict: Verdict): AttemptResult {
    if (verdict.kind === 'taken') {
      // Services without request ids use the task's id in their reports.
      const requestId = this.requestId || plainRequestId(verdict.task.taskId)
      return { kind: 'answered', requestId, status: 200, error: '' }
    }
    const { requestId } = this
    const { failure, refusal, retry } = verdict
    const result = {
      kind: 'refused',
      requestId,
      status: failure?.status ?? 200,
      error: refusal.cause ?? '',
      fault: failure,
    } as const
    return retry && failure !== undefined ? { ...result, retryStatus: failure.status } : result
  }
}

/** One task, from its submission to its row. */
class TaskCall implements PaidCall<Held, Verdict | undefined, Delivery, TaskAnswer> {
  readonly call: Submission['call']
  readonly attemptLog = createAttemptLog()
  private readonly submission: Submission
  private readonly parts: SubmitParts
  /** The refusal, in its platform's format. */
  private refusal: TaskRefusal | undefined
  /** The service's own answer to a submission that it refused. */
  private refusedAnswer: ClientAnswer | undefined
  private attempt: SubmissionAttempt | undefined
  /** The priced task: the body that its service gets counts. */
  private readonly task: PricedTask

  constructor(submission: Submission, parts: SubmitParts) {
    this.call = submission.call
    this.submission = submission
    this.parts = parts
    const { platform, free, body } = submission
    this.task = { platform, free, choices: free ? [] : taskChoices(platform, parseObject(body.toString())) }
  }

  hasWord(words: readonly string[]): boolean {
    return wordIn(this.submission.prompt, words) !== undefined
  }

  price(): Price {
    return plannedPrice(this.call.plan)
  }

  async hold(price: Price, options: RelayOptions): Promise<Held> {
    const { overdraft, amounts } = options
    const { submission } = this
    if (submission.free) return { hold: undefined }
    const { keyHint } = this.call.caller
    const amount = taskReceipt(price, this.task).quota
    const answer = await this.parts.holds.hold({
      ...payerOf(this.call.caller),
      amount,
      ...freeBounds(amount === 0 && costsNothing(price), options, { spare: -overdraft }),
    })
    if (answer.kind === 'held') return answer
    if (answer.account === 'token' && answer.remain < 0) throw refusedHold(answer, amounts, keyHint)
    const cause = `${answer.account} has ${answer.remain}, needs ${answer.need}`
    throw new TaskRefused({ ...submission.quotaRefusal, cause })
  }

  run(_: Held, __: Price, options: RelayOptions): Promise<Verdict | undefined> {
    const { submission, attemptLog, parts } = this
    const attempt = new SubmissionAttempt(submission, parts)
    this.attempt = attempt
    return tryChannels(this.call, attempt, options, attemptLog, parts)
  }

  settle(verdict: Verdict | undefined, _: Held, price: Price, { amounts }: RelayOptions): Bill<Delivery> {
    const { caller, id, model } = this.call
    if (verdict === undefined) return { kind: 'fail', failure: failureOf(lacksChannel(caller.group, model)) }
    const task = this.taskOf(verdict)
    if (verdict.kind === 'refused') {
      this.refusal = verdict.refusal
      this.refusedAnswer = verdict.answer
      return { kind: 'fail', failure: failureOfRefusal(verdict.refusal), task }
    }
    const record = this.chargeOf(task, price, amounts.quotaPerUnit)
    const { costAsked } = this.call
    const answer =
      costAsked === undefined || record.receipt === undefined
        ? verdict.answer
        : withCostOf(verdict.answer, { dollars: dollarsOf(record.receipt), receipt: id })
    // Subscribes before the charge, so that it cannot be missed.
    return { kind: 'charge', record, answer: { answer, arrival: this.parts.arrived(id, arrivalMs) } }
  }

  private taskOf(verdict: Verdict): TaskStart {
    const { platform, action, prompt } = this.submission
    const keyHash = this.parts.keyHashOf(this.attemptLog.key)
    const common = { platform, action, prompt, submittedAt: this.call.startedAt, keyHash }
    if (verdict.kind === 'taken') return { ...common, ...verdict.task }
    const { refusal } = verdict
    const failed = { taskId: '', description: refusal.message, state: '', imageUrl: '' }
    const code = typeof refusal.code === 'number' ? refusal.code : 0
    return { ...common, ...failed, code, status: 'FAILURE', progress: '100%', failReason: refusal.message }
  }

  private chargeOf(task: TaskStart, price: Price, quotaPerUnit: number): RequestRecord {
    const { call, attemptLog } = this
    const { platform, action } = this.submission
    const receipt = taskReceipt(price, this.task)
    if (call.costAsked !== undefined) receipt.call = receiptCall(call, noUsage)
    const cost = this.cost(quotaPerUnit)
    const now = this.parts.clock()
    const modelPrice = price.perCall === undefined ? 0 : toNumber(price.perCall)
    const groupRatio = toNumber(price.groupRatio)
    const id = platform === 'midjourney' ? `，ID ${task.taskId}` : ''
    const record: RequestRecord = {
      ...common(call, attemptLog, now),
      kind: 'charge',
      quota: receipt.quota,
      cost: cost?.quota,
      promptTokens: 0,
      completionTokens: 0,
      useTime: Math.floor(tookMs(call, now) / 1000),
      content: `模型固定价格 ${modelPrice.toFixed(2)}，分组倍率 ${groupRatio.toFixed(2)}，操作 ${action}${id}`,
      other: {
        model_price: modelPrice,
        group_ratio: groupRatio,
        task_id: task.taskId,
        ...ofProgram(call),
        path: call.path,
        duration_ms: tookMs(call, now),
        ...(call.capture?.taken === true ? { inspected: true } : {}),
        admin_info: adminInfo(attemptLog, { cost }),
      },
      receipt,
      task,
    }
    call.capture?.recorded(record)
    return record
  }

  /** Cost as its service states it, or the price per call of its channel: a task has no tokens. */
  private cost(quotaPerUnit: number): UpstreamCost | undefined {
    const { call, attemptLog, parts, submission } = this
    const price = upstreamPriceOf(call, attemptLog, parts.costs)
    const computed = price?.perCall === undefined ? undefined : upstreamCost(taskUsage(submission), price)
    const known = { computed, stated: this.attempt?.stated, estimated: false, quotaPerUnit }
    return knownCost(known, call, attemptLog, parts.costs)
  }

  close(): void {}

  async deliver({ answer, arrival }: Delivery): Promise<TaskAnswer> {
    await arrival
    return answer
  }

  fail(failure: CallFailure): TaskAnswer {
    if (this.refusal === undefined) return { failure }
    return this.refusedAnswer ?? refusalAnswer(this.submission.platform, this.refusal)
  }

  failureOf(error: unknown): CallFailure | undefined {
    if (!(error instanceof TaskRefused)) return undefined
    this.refusal = error.refusal
    return failureOfRefusal(error.refusal)
  }
}

/** Begins tasks. Never rejects; a failure is free, and recorded. */
export const openTaskSubmissions = (parts: SubmitParts) => ({
  async submit(submission: Submission): Promise<TaskAnswer> {
    const { call, accept } = submission
    const capture = parts.inspections?.open({ ...call, query: '', passed: {}, accept })
    if (capture === undefined) return withHold(new TaskCall(submission, parts), parts)
    const inspected = { ...submission, call: { ...call, capture } }
    const answer = await withHold(new TaskCall(inspected, parts), parts)
    if ('failure' in answer) capture.ended(failureText(answer.failure, undefined))
    else {
      capture.answered(answer.status, ['content-type', 'application/json'], answer.bytes)
      capture.ended(undefined)
    }
    return answer
  },
})
