import { logType } from '@tollgate/contract'
import { cost } from '../../billing/cost.ts'
import { completionTokens, noUsage, promptTokens } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Prices, RelayChannel, UpstreamFailure } from '../../relay/ports.ts'
import type { ProbeAnswer } from './probe.ts'
import type { ChannelStore } from './store.ts'

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
  probe(channel: RelayChannel, model: string): Promise<ProbeAnswer>
  readonly prices: Prices
  log(entry: TestLog): Promise<void>
  readonly clock: Clock
}

export interface TestResult {
  /** Seconds, with their fraction. */
  readonly time: number
  readonly channel: RelayChannel
  readonly failure: UpstreamFailure | undefined
}

export type TestChannel = (id: number, model: string, tester: Tester) => Promise<TestResult>

/** Types without anything to talk to (server reference §5.9.1). */
const untestable: Readonly<Record<number, string>> = {
  2: 'midjourney channel test is not supported',
  5: 'midjourney plus channel test is not supported!!!',
  36: 'suno channel test is not supported',
}

const label = '模型测试'
const lastResort = 'gpt-4o-mini'

/**
 * Tests a channel, enabled or not. The response time is stored whatever comes of it; a success is logged as a
 * consumption that moves no balance.
 */
export const createTestRun = (parts: TestRunParts): TestChannel => {
  const testable = async (id: number): Promise<{ channel: RelayChannel; testModel: string }> => {
    const row = await parts.store.get(id)
    if (!row) throw new AppError('channel_not_found')
    const channel = parts.channelById(id)
    const reason = untestable[row.type] ?? (channel ? undefined : 'the channel cannot relay')
    if (reason !== undefined || !channel)
      throw new AppError('channel_test_failed', { params: { reason: reason ?? '' } })
    return { channel, testModel: row.test_model ?? '' }
  }

  const logTest = (channel: RelayChannel, model: string, answer: ProbeAnswer, took: number, tester: Tester) => {
    const usage = (answer.kind === 'answered' ? answer.usage : undefined) ?? noUsage
    const price = parts.prices.of(model, tester.group, { acceptsUnpriced: false })
    return parts.log({
      userId: tester.id,
      username: tester.username,
      type: logType.consume,
      content: label,
      tokenName: label,
      channelId: channel.id,
      group: tester.group,
      model,
      quota: price ? cost(usage, price) : 0,
      promptTokens: promptTokens(usage),
      completionTokens: completionTokens(usage),
      useTime: Math.floor(took / 1000),
      other: { duration_ms: Math.round(took) },
    })
  }

  return async (id, asked, tester) => {
    const { channel, testModel } = await testable(id)
    const model = asked.trim() || testModel || [...channel.models][0] || lastResort
    const began = parts.clock()
    const answer = await parts.probe(channel, model)
    const took = parts.clock() - began
    await parts.store.recordTest(id, { test_time: unixSeconds(parts.clock), response_time: Math.round(took) })
    const failure = answer.kind === 'refused' ? answer.failure : undefined
    if (!failure) await logTest(channel, model, answer, took, tester)
    return { time: took / 1000, channel, failure }
  }
}

/** What people read of a failed test: the upstream's status and words (server reference §5.9.1). */
export const failureText = ({ status, message }: UpstreamFailure): string =>
  status === 0 ? message : `status code ${status}: ${message}`
