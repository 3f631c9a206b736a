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

export interface TestRunParts {
  readonly store: Pick<ChannelStore, 'get' | 'recordTest'>
  channelById(id: number): RelayChannel | undefined
  probe(channel: RelayChannel, request: Probe): Promise<ProbeAnswer>
  readonly prices: Prices
  log(entry: TestLog): Promise<void>
  /** Called when a test succeeds: failures recorded for this channel and model are cleared. */
  worked(channelId: number, model: string): void
  readonly clock: Clock
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
}

/** Throws AppError where there is nothing to test; what the upstream says is part of the result. */
export type TestChannel = (id: number, request: TestAsk, tester: Tester) => Promise<ChannelTestResult>

/** Types without anything to talk to. */
const untestable: Readonly<Record<number, string>> = {
  2: 'midjourney channel test is not supported',
  5: 'midjourney plus channel test is not supported!!!',
  36: 'suno channel test is not supported',
}

const lastResort = 'gpt-4o-mini'
const usualTimeoutMs = 60_000
/** Stands for a failure that has no status, such as a refused connection. */
const withoutStatus = 1

type Answered = Extract<ProbeAnswer, { kind: 'answered' }>

/**
 * Tests a channel, enabled or not. The response time is stored whatever comes of it; a success is logged as a
 * consumption that moves no balance.
 */
export const createTestRun = (parts: TestRunParts): TestChannel => {
  const testable = async (id: number): Promise<{ channel: RelayChannel; testModel: string }> => {
    const row = await parts.store.get(id)
    if (!row) throw new AppError('channel_not_found')
    const channel = parts.channelById(id)
    const reason = untestable[row.type] ?? (channel ? undefined : cannotRelay)
    if (reason !== undefined || !channel)
      throw new AppError('channel_test_failed', { params: reasonParams(reason ?? ''), beside: { time: 0 } })
    return { channel, testModel: row.test_model ?? '' }
  }

  const logTest = (
    channel: RelayChannel,
    request: Probe,
    { usage, took }: Answered & { readonly took: number },
    tester: Tester,
  ) => {
    const price = parts.prices.of(request.model, tester.group, { acceptsUnpriced: false })
    return parts.log({
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

  return async (id, options, tester) => {
    const { channel, testModel } = await testable(id)
    const model = options.model?.trim() || testModel || [...channel.models][0] || lastResort
    const request = { key: '', stream: false, prompt: '', timeoutMs: usualTimeoutMs, ...options, model }
    const began = parts.clock()
    const answer = await parts.probe(channel, request)
    const took = parts.clock() - began
    await parts.store.recordTest(id, {
      test_time: unixSeconds(parts.clock),
      response_time: Math.round(took),
      test_status: answer.kind === 'refused' ? answer.failure.status || withoutStatus : 0,
    })
    const found = { time: took / 1000, channel, model }
    if (answer.kind === 'refused') {
      const nothing = { firstContentTime: null, text: '', promptTokens: 0, completionTokens: 0 }
      return { ...found, ...nothing, failure: answer.failure }
    }
    parts.worked(id, model)
    await logTest(channel, request, { ...answer, took }, tester)
    const { usage, text, firstContentAt } = answer
    return {
      ...found,
      firstContentTime: firstContentAt === undefined ? null : Math.max(0, firstContentAt - began) / 1000,
      text,
      promptTokens: promptTokens(usage),
      completionTokens: completionTokens(usage),
      failure: undefined,
    }
  }
}
