import { channelTestLabel, logType } from '@tollgate/contract'
import { cost } from '../../../billing/cost.ts'
import { completionTokens, promptTokens } from '../../../billing/usage.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../../lib/clock.ts'
import type { Prices, RelayChannel, UpstreamFailure } from '../../../relay/ports.ts'
import { cannotRelay, reasonParams } from '../reasons.ts'
import type { ChannelStore } from '../store.ts'
import type { Probe, ProbeAnswer } from './probe.ts'

/** A finished test, for the log of the one who made it. */
export interface TestLog {
  readonly userId: number
  readonly username: string
  readonly type: number
  readonly content: string
  readonly tokenName: string
  /** 0 for a channel that is not saved. */
  readonly channelId: number
  readonly group: string
  readonly model: string
  readonly quota: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly isStream: boolean
  /** Whole seconds. */
  readonly useTime: number
  readonly other: { readonly duration_ms: number }
}

export interface Tester {
  readonly id: number
  readonly username: string
  readonly group: string
}

/** Parts of every test, of saved and unsaved channels. */
export interface ProbingParts {
  probe(channel: RelayChannel, request: Probe): Promise<ProbeAnswer>
  readonly prices: Prices
  log(entry: TestLog): Promise<void>
  readonly clock: Clock
}

export interface TestRunParts extends ProbingParts {
  readonly store: Pick<ChannelStore, 'get' | 'recordTest'>
  channelById(id: number): RelayChannel | undefined
  /** Called when a test succeeds: failures recorded for this channel and model are cleared. */
  worked(channelId: number, model: string): void
}

/** Test to run; an absent model is the channel's test model or its first. */
export type TestAsk = Partial<Probe>

export interface ChannelTestResult {
  /** Seconds, with their fraction. */
  readonly time: number
  /** Seconds until the first content of a stream; null where nothing was streamed. */
  readonly firstContentTime: number | null
  readonly channel: RelayChannel
  readonly model: string
  readonly text: string
  readonly promptTokens: number
  readonly completionTokens: number
  readonly failure: UpstreamFailure | undefined
  /** The failure with what to do about it; undefined where the upstream's own text says it all. */
  readonly advice: AppError | undefined
}

/** Throws AppError where there is nothing to test; what the upstream says is part of the result. */
export type TestChannel = (id: number, request: TestAsk, tester: Tester) => Promise<ChannelTestResult>

/** Types without anything to talk to. */
const untestable: Readonly<Record<number, string>> = {
  2: 'midjourney channel test is not supported',
  5: 'midjourney plus channel test is not supported!!!',
  36: 'suno channel test is not supported',
}

/** Throws AppError('channel_test_failed') for a type without anything to talk to, or a channel that cannot relay. */
export const testable = (type: number, channel: RelayChannel | undefined): RelayChannel => {
  const reason = untestable[type]
  if (reason === undefined && channel) return channel
  throw new AppError('channel_test_failed', { params: reasonParams(reason ?? cannotRelay), beside: { time: 0 } })
}

const lastResort = 'gpt-4o-mini'
const usualTimeoutMs = 60_000
/** Stands for a failure that has no status, such as a refused connection. */
const withoutStatus = 1

type Answered = Extract<ProbeAnswer, { kind: 'answered' }>

/** Tests a channel as it is; a success is logged as a consumption that moves no balance. `testModel` is its own, empty for its first. */
export const createProbing = ({ probe, prices, log, clock }: ProbingParts) => {
  const logTest = (
    channel: RelayChannel,
    request: Probe,
    { usage, took }: Answered & { readonly took: number },
    tester: Tester,
  ) => {
    const price = prices.of(request.model, tester.group, { acceptsUnpriced: false })
    return log({
      userId: tester.id,
      username: tester.username,
      type: logType.consume,
      content: channelTestLabel,
      tokenName: channelTestLabel,
      channelId: channel.id,
      group: tester.group,
      model: request.model,
      quota: price ? cost(usage, price) : 0,
      promptTokens: promptTokens(usage),
      completionTokens: completionTokens(usage),
      isStream: request.stream,
      useTime: Math.floor(took / 1000),
      other: { duration_ms: Math.round(took) },
    })
  }

  return async (
    { channel, testModel }: { readonly channel: RelayChannel; readonly testModel: string },
    options: TestAsk,
    tester: Tester,
  ): Promise<ChannelTestResult> => {
    const model = options.model?.trim() || testModel || [...channel.models][0] || lastResort
    const request = { key: '', stream: false, prompt: '', timeoutMs: usualTimeoutMs, ...options, model }
    const began = clock()
    const answer = await probe(channel, request)
    const took = clock() - began
    const found = { time: took / 1000, channel, model }
    if (answer.kind === 'refused') {
      const nothing = { firstContentTime: null, text: '', promptTokens: 0, completionTokens: 0 }
      return { ...found, ...nothing, failure: answer.failure, advice: answer.advice }
    }
    await logTest(channel, request, { ...answer, took }, tester)
    const { usage, text, firstContentAt } = answer
    return {
      ...found,
      firstContentTime: firstContentAt === undefined ? null : Math.max(0, firstContentAt - began) / 1000,
      text,
      promptTokens: promptTokens(usage),
      completionTokens: completionTokens(usage),
      failure: undefined,
      advice: undefined,
    }
  }
}

/** Tests a saved channel, enabled or not. The response time is stored whatever comes of it. */
export const createTestRun = (parts: TestRunParts): TestChannel => {
  const probing = createProbing(parts)
  return async (id, options, tester) => {
    const row = await parts.store.get(id)
    if (!row) throw new AppError('channel_not_found')
    const channel = testable(row.type, parts.channelById(id))
    const result = await probing({ channel, testModel: row.test_model ?? '' }, options, tester)
    await parts.store.recordTest(id, {
      test_time: unixSeconds(parts.clock),
      response_time: Math.round(result.time * 1000),
      test_status: result.failure ? result.failure.status || withoutStatus : 0,
    })
    if (result.failure === undefined) parts.worked(id, result.model)
    return result
  }
}
