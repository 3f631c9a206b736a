import type { Receipt } from '@tollgate/contract'
import { toNumber } from '../../billing/decimal.ts'
import type { Price } from '../../billing/price.ts'
import { AppError } from '../../lib/app-error.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { CallFacts } from '../call.ts'
import { unpriced } from '../exchange/unpriced.ts'
import { refusedHold } from '../holds/granted-hold.ts'
import type {
  Channels,
  Hold,
  Holds,
  Prices,
  Recorder,
  RelayChannel,
  RelayOptions,
  RequestRecord,
  TaskStart,
} from '../ports.ts'
import { type AttemptLog, adminInfo, common, createAttemptLog, errorRecord, tookMs } from '../record.ts'
import { lacksChannel } from '../routing/no-channel.ts'
import { type AttemptResult, type ChannelAttempt, type RoutedCall, tryChannels } from '../routing/try-channels.ts'
import { wordIn } from '../stream/answer-guard.ts'
import { redact } from '../upstream/redact.ts'
import { askService, type ServiceAnswer, type ServiceParts } from './ask-service.ts'
import { failureOfRefusal, type TaskRefusal, TaskRefused } from './refusal.ts'
import { taskPrice, taskReceipt } from './task-price.ts'
import type { ClientAnswer, Verdict } from './verdict.ts'

export interface SubmitParts extends ServiceParts {
  readonly channels: Channels
  readonly prices: Prices
  readonly holds: Holds
  readonly recorder: Recorder
  readonly options: () => RelayOptions
  /** False while calls cannot be recorded. */
  readonly ready: () => boolean
  /** Resolves when the charge of a request is in the database, or after so many milliseconds. */
  readonly arrived: (requestId: string, mostMs: number) => Promise<void>
  readonly keyHashOf: (key: string) => string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly random: () => number
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** One task that a client wants begun, checked and written as the upstream will read it. */
export interface Submission {
  /** Bound to a place where it goes on from another task. */
  readonly call: CallFacts & RoutedCall
  readonly platform: TaskPlatform
  readonly action: string
  readonly free: boolean
  /** Upstream's path with its query. */
  readonly path: string
  readonly body: Buffer
  readonly accept: string | undefined
  /** What people read of it, and what is checked for blocked words. */
  readonly prompt: string
  readonly verdict: (answer: ServiceAnswer, redacted: (text: string) => string) => Verdict
  readonly quotaRefusal: TaskRefusal
}

const timeoutMs = 60_000
/** The client asks after its task at once; its row should be there by then. */
const arrivalMs = 2000

/** A submission at one channel after the other. */
class SubmissionAttempt implements ChannelAttempt<Verdict> {
  private readonly submission: Submission
  private readonly parts: ServiceParts

  constructor(submission: Submission, parts: ServiceParts) {
    this.submission = submission
    this.parts = parts
  }

  /** The same bytes go to every channel. */
  prepare(): void {}

  async send(channel: RelayChannel, key: string): Promise<Verdict> {
    const { platform, path, body, accept, verdict } = this.submission
    const question = { platform, channel, key, method: 'POST', path, body, accept, timeoutMs } as const
    const answer = await askService(question, this.parts)
    const status = answer.kind === 'answered' ? (channel.statusCodeMapping.get(answer.status) ?? answer.status) : 0
    const mapped = answer.kind === 'answered' ? { ...answer, status } : answer
    return verdict(mapped, (text) => redact(text, { key, baseUrl: channel.baseUrl }))
  }

  resultOf(verdict: Verdict): AttemptResult {
    if (verdict.kind === 'taken') return { kind: 'answered', status: 200, error: '' }
    const { failure, refusal, retry } = verdict
    const result = {
      kind: 'refused',
      status: failure?.status ?? 200,
      error: refusal.cause ?? '',
      fault: failure,
    } as const
    return retry && failure !== undefined ? { ...result, retryStatus: failure.status } : result
  }
}

/** Begins tasks: hold, ask, record, charge once. Throws TaskRefused or AppError; whatever is thrown cost nothing. */
export const openTaskSubmissions = (parts: SubmitParts) => {
  const holdFor = async ({ call, quotaRefusal }: Submission, amount: number): Promise<Hold> => {
    const { userId, tokenId, tokenUnlimited, keyHint } = call.caller
    const spare = -parts.options().overdraft
    const held = await parts.holds.hold({ userId, tokenId, tokenUnlimited, amount, spare })
    if (held.kind === 'held') return held.hold
    if (held.account === 'token' && held.remain < 0) throw refusedHold(held, parts.options().amounts, keyHint)
    const cause = `${held.account} has ${held.remain}, needs ${held.need}`
    throw new TaskRefused({ ...quotaRefusal, cause })
  }

  const startOf = (submission: Submission, key: string, verdict: Verdict): TaskStart => {
    const { platform, action, prompt, call } = submission
    const common = { platform, action, prompt, submittedAt: call.startedAt, keyHash: parts.keyHashOf(key) }
    if (verdict.kind === 'taken') return { ...common, ...verdict.task }
    const { refusal } = verdict
    const failed = { taskId: '', description: refusal.message, state: '', imageUrl: '' }
    const code = typeof refusal.code === 'number' ? refusal.code : 0
    return { ...common, ...failed, code, status: 'FAILURE', progress: '100%', failReason: refusal.message }
  }

  const chargeOf = (
    asked: Submission,
    attemptLog: AttemptLog,
    task: TaskStart,
    price: Price,
    receipt: Receipt,
  ): RequestRecord => {
    const { call, platform, action } = asked
    const now = parts.clock()
    const modelPrice = price.perCall === undefined ? 0 : toNumber(price.perCall)
    const groupRatio = toNumber(price.groupRatio)
    const id = platform === 'midjourney' ? `，ID ${task.taskId}` : ''
    return {
      ...common(call, attemptLog, now),
      kind: 'charge',
      quota: receipt.quota,
      promptTokens: 0,
      completionTokens: 0,
      useTime: Math.floor(tookMs(call, now) / 1000),
      content: `模型固定价格 ${modelPrice.toFixed(2)}，分组倍率 ${groupRatio.toFixed(2)}，操作 ${action}${id}`,
      other: {
        model_price: modelPrice,
        group_ratio: groupRatio,
        task_id: task.taskId,
        path: call.path,
        duration_ms: tookMs(call, now),
        admin_info: adminInfo(attemptLog, {}),
      },
      receipt,
      task,
    }
  }

  const refuse = async (
    asked: Submission,
    attemptLog: AttemptLog,
    refusal: TaskRefusal,
    task?: TaskStart,
  ): Promise<void> => {
    const record = errorRecord(asked.call, attemptLog, failureOfRefusal(refusal), parts.clock())
    try {
      await parts.recorder.end(task === undefined ? record : { ...record, task })
    } catch (error) {
      parts.log('refused_task_not_recorded', { request_id: record.id, error })
    }
  }

  const begin = async (
    asked: Submission,
    attemptLog: AttemptLog,
    price: Price,
    hold: Hold | undefined,
  ): Promise<ClientAnswer> => {
    const { call } = asked
    const verdict = await tryChannels(call, new SubmissionAttempt(asked, parts), parts.options(), attemptLog, parts)
    if (verdict === undefined) throw lacksChannel(call.caller.group, call.model)
    const task = startOf(asked, attemptLog.key, verdict)
    if (verdict.kind === 'refused') {
      await refuse(asked, attemptLog, verdict.refusal, task)
      if (verdict.answer !== undefined) return verdict.answer
      throw new TaskRefused(verdict.refusal, { recorded: true })
    }
    const receipt = taskReceipt(price, asked)
    const arrival = parts.arrived(asked.call.id, arrivalMs)
    await parts.recorder.end(chargeOf(asked, attemptLog, task, price, receipt), hold)
    try {
      parts.channels.charged?.(attemptLog.channelId, asked.call.model, receipt.quota)
    } catch (error) {
      // The charge stands: the call must not be recorded again as a failed one.
      parts.log('charge_listener_failed', { request_id: asked.call.id, error })
    }
    await arrival
    return verdict.answer
  }

  const checkWords = ({ prompt }: Submission): void => {
    const { sensitiveWords } = parts.options()
    if (wordIn(prompt, sensitiveWords) !== undefined) throw new AppError('sensitive_words_detected')
  }

  const priceOf = ({ call }: Submission): Price => {
    const price = taskPrice(parts.prices, call.model, call.caller)
    if (price === undefined) throw unpriced(call.model, call.caller)
    return price
  }

  return {
    async submit(asked: Submission): Promise<ClientAnswer> {
      if (!parts.ready()) throw new AppError('recording_failed')
      checkWords(asked)
      const price = priceOf(asked)
      const attemptLog = createAttemptLog()
      const hold = asked.free ? undefined : await holdFor(asked, taskReceipt(price, asked).quota)
      try {
        return await begin(asked, attemptLog, price, hold)
      } finally {
        hold?.release()
      }
    },
  }
}
