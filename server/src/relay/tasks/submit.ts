import type { Receipt } from '@tollgate/contract'
import { toNumber } from '../../billing/decimal.ts'
import type { Price } from '../../billing/price.ts'
import { AppError } from '../../lib/app-error.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { CallFacts } from '../call.ts'
import { unpriced } from '../exchange/unpriced.ts'
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
import { adminInfo, common, emptyTrail, errorRecord, type Trail, tookMs } from '../record.ts'
import { chooseKey } from '../routing/key-choice.ts'
import { chooseChannel } from '../routing/plan.ts'
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
  readonly facts: CallFacts
  readonly platform: TaskPlatform
  readonly action: string
  readonly free: boolean
  /** Where it must go because it goes on from another task; undefined for any channel that has the model. */
  readonly place: { readonly channel: RelayChannel; readonly key: string } | undefined
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

type Tried = { readonly channel: RelayChannel; readonly key: string; readonly verdict: Verdict }

/** Begins tasks: hold, ask, record, charge once. Throws TaskRefused or AppError; whatever is thrown cost nothing. */
export const openTaskSubmissions = (parts: SubmitParts) => {
  const nextPlace = (asked: Submission, tried: ReadonlySet<number>, number: number): Submission['place'] => {
    if (asked.place !== undefined) return number === 0 ? asked.place : undefined
    const { caller, model } = asked.facts
    const snapshot = parts.channels.snapshot()
    const { health } = parts.channels
    const now = parts.clock()
    const pick = (): RelayChannel | undefined => {
      if (caller.forcedChannel !== undefined) return number === 0 ? snapshot.byId(caller.forcedChannel) : undefined
      const candidates = snapshot.candidates(caller.group, model)
      if (health === undefined || health.calm) return chooseChannel(candidates, tried, number, parts.random)
      return chooseChannel(candidates, tried, number, parts.random, ({ id }) => health.avoids(id, model, now))
    }
    const channel = pick()
    if (channel === undefined) return undefined
    health?.chosen(channel.id, model, now)
    return { channel, key: chooseKey(channel, undefined, { random: parts.random, health, now }) }
  }

  const ask = async (asked: Submission, { channel, key }: NonNullable<Submission['place']>): Promise<Verdict> => {
    const { platform, path, body, accept } = asked
    const answer = await askService({ platform, channel, key, method: 'POST', path, body, accept, timeoutMs }, parts)
    const status = answer.kind === 'answered' ? (channel.statusCodeMapping.get(answer.status) ?? answer.status) : 0
    const mapped = answer.kind === 'answered' ? { ...answer, status } : answer
    return asked.verdict(mapped, (text) => redact(text, { key, baseUrl: channel.baseUrl }))
  }

  /** Another channel is asked only where the one before has begun nothing. */
  const tryChannels = async (asked: Submission, trail: Trail): Promise<Tried> => {
    const { facts } = asked
    const tried = new Set<number>()
    let last: Tried | undefined
    for (let number = 0; number <= parts.options().retryTimes; number += 1) {
      const place = nextPlace(asked, tried, number)
      if (place === undefined) break
      const { channel, key } = place
      tried.add(channel.id)
      trail.channelId = channel.id
      trail.key = key
      const startedAt = parts.clock()
      const verdict = await ask(asked, place)
      const failure = verdict.kind === 'refused' ? verdict.failure : undefined
      const took = parts.clock() - startedAt
      parts.channels.report(channel, failure, key, facts.model, took, -1)
      trail.attempts.push({
        channel: channel.id,
        channel_name: channel.name,
        started_ms: startedAt - facts.startedAt,
        duration_ms: took,
        status: failure?.status ?? 200,
        error: verdict.kind === 'refused' ? (verdict.refusal.cause ?? '') : '',
      })
      last = { ...place, verdict }
      if (verdict.kind === 'taken' || !verdict.retry) break
    }
    if (last !== undefined) return last
    const { caller, model } = facts
    throw new AppError('no_available_channel', { params: { group: caller.group, model } })
  }

  const holdFor = async ({ facts, quotaRefusal }: Submission, amount: number): Promise<Hold> => {
    const { userId, tokenId, tokenUnlimited } = facts.caller
    const spare = -parts.options().overdraft
    const held = await parts.holds.hold({ userId, tokenId, tokenUnlimited, amount, spare })
    if (held.kind === 'held') return held.hold
    const cause = `${held.account} has ${held.remain}, needs ${held.need}`
    throw new TaskRefused({ ...quotaRefusal, cause })
  }

  const startOf = (asked: Submission, { key, verdict }: Tried): TaskStart => {
    const { platform, action, prompt, facts } = asked
    const common = { platform, action, prompt, submittedAt: facts.startedAt, keyHash: parts.keyHashOf(key) }
    if (verdict.kind === 'taken') return { ...common, ...verdict.task }
    const { refusal } = verdict
    const failed = { taskId: '', description: refusal.message, state: '', imageUrl: '' }
    const code = typeof refusal.code === 'number' ? refusal.code : 0
    return { ...common, ...failed, code, status: 'FAILURE', progress: '100%', failReason: refusal.message }
  }

  const chargeOf = (
    asked: Submission,
    trail: Trail,
    task: TaskStart,
    price: Price,
    receipt: Receipt,
  ): RequestRecord => {
    const { facts, platform, action } = asked
    const now = parts.clock()
    const modelPrice = price.perCall === undefined ? 0 : toNumber(price.perCall)
    const groupRatio = toNumber(price.groupRatio)
    const id = platform === 'midjourney' ? `，ID ${task.taskId}` : ''
    return {
      ...common(facts, trail, now),
      kind: 'charge',
      quota: receipt.quota,
      promptTokens: 0,
      completionTokens: 0,
      useTime: Math.floor(tookMs(facts, now) / 1000),
      content: `模型固定价格 ${modelPrice.toFixed(2)}，分组倍率 ${groupRatio.toFixed(2)}，操作 ${action}${id}`,
      other: {
        model_price: modelPrice,
        group_ratio: groupRatio,
        task_id: task.taskId,
        path: facts.path,
        duration_ms: tookMs(facts, now),
        admin_info: adminInfo(trail, {}),
      },
      receipt,
      task,
    }
  }

  const refuse = async (asked: Submission, trail: Trail, refusal: TaskRefusal, task?: TaskStart): Promise<void> => {
    const record = errorRecord(asked.facts, trail, failureOfRefusal(refusal), parts.clock())
    try {
      await parts.recorder.end(task === undefined ? record : { ...record, task })
    } catch (error) {
      parts.log('a refused task could not be recorded', { request_id: record.id, error })
    }
  }

  const begin = async (
    asked: Submission,
    trail: Trail,
    price: Price,
    hold: Hold | undefined,
  ): Promise<ClientAnswer> => {
    const tried = await tryChannels(asked, trail)
    const { verdict } = tried
    const task = startOf(asked, tried)
    if (verdict.kind === 'refused') {
      await refuse(asked, trail, verdict.refusal, task)
      if (verdict.answer !== undefined) return verdict.answer
      throw new TaskRefused(verdict.refusal, { recorded: true })
    }
    const receipt = taskReceipt(price, asked)
    const arrival = parts.arrived(asked.facts.id, arrivalMs)
    await parts.recorder.end(chargeOf(asked, trail, task, price, receipt), hold)
    try {
      parts.channels.charged?.(trail.channelId, asked.facts.model, receipt.quota)
    } catch (error) {
      // The charge stands: the call must not be recorded again as a failed one.
      parts.log('charge_listener_failed', { request_id: asked.facts.id, error })
    }
    await arrival
    return verdict.answer
  }

  const checkWords = ({ prompt }: Submission): void => {
    const { sensitiveWords } = parts.options()
    if (wordIn(prompt, sensitiveWords) !== undefined) throw new AppError('sensitive_words_detected')
  }

  const priceOf = ({ facts }: Submission): Price => {
    const price = taskPrice(parts.prices, facts.model, facts.caller)
    if (price === undefined) throw unpriced(facts.model, facts.caller)
    return price
  }

  return {
    async submit(asked: Submission): Promise<ClientAnswer> {
      if (!parts.ready()) throw new AppError('recording_failed')
      checkWords(asked)
      const price = priceOf(asked)
      const trail = emptyTrail()
      const hold = asked.free ? undefined : await holdFor(asked, taskReceipt(price, asked).quota)
      try {
        return await begin(asked, trail, price, hold)
      } finally {
        hold?.release()
      }
    },
  }
}
