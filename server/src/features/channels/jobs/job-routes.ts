import {
  getChannelJobs,
  runChannelTest,
  stopChannelJob,
  testAllChannels,
  testChannel,
  testUnsavedChannel,
  updateAllBalances,
  updateBalance,
} from '@tollgate/contract'
import { actorOf } from '../../../http/actor.ts'
import type { On } from '../../../http/route.ts'
import type { ChannelKeys } from '../keys/keys.ts'
import type { ChannelService } from '../service.ts'
import type { UpdateBalance } from './balances.ts'
import type { ChannelJobs } from './jobs.ts'
import type { ChannelTestResult, TestChannel } from './test-run.ts'
import { createTracedTest, shownAnswer, traceTest } from './traced-test.ts'
import type { TestUnsaved } from './unsaved-test.ts'

export interface JobRouteParts {
  readonly channels: Pick<ChannelService, 'note'>
  readonly keys: Pick<ChannelKeys, 'keyOf'>
  readonly test: TestChannel
  readonly testUnsaved: TestUnsaved
  readonly balance: UpdateBalance
  readonly jobs: ChannelJobs
}

const shown = (result: ChannelTestResult) => ({
  time: result.time,
  first_content_time: result.firstContentTime,
  answer: shownAnswer(result),
  prompt_tokens: result.promptTokens,
  completion_tokens: result.completionTokens,
})

/** Tests of one channel and of all, and balances. */
export const jobRoutes = (on: On, { channels, keys, test, testUnsaved, balance, jobs }: JobRouteParts): void => {
  const tested = createTracedTest({ channels, test })

  on(testChannel, async (call) => {
    const { time } = await tested(call.params.id, { model: call.query.model }, call.caller, actorOf(call))
    return { beside: { time } }
  })
  on(runChannelTest, async (call) => {
    const { key_id, timeout_seconds, ...options } = call.body
    const key = key_id === undefined ? '' : await keys.keyOf(call.params.id, key_id)
    const request = { ...options, key, timeoutMs: timeout_seconds * 1000 }
    const result = await tested(call.params.id, request, call.caller, actorOf(call))
    return { data: shown(result) }
  })
  on(testUnsavedChannel, async (call) => {
    const { id, channel, timeout_seconds, ...options } = call.body
    const request = { ...options, timeoutMs: timeout_seconds * 1000 }
    const result = await testUnsaved({ id, fields: channel }, request, call.caller)
    return { data: shown(await traceTest(channels, id ?? 0, result, actorOf(call))) }
  })
  on(testAllChannels, async (call) => {
    await jobs.start('test', call.caller)
    await channels.note('test_all', 0, {}, actorOf(call))
    return {}
  })
  on(updateBalance, async (call) => {
    await channels.note('update_balance', call.params.id, {}, actorOf(call))
    return { beside: { balance: await balance(call.params.id) } }
  })
  on(updateAllBalances, async (call) => {
    await jobs.start('balance', call.caller)
    await channels.note('update_all_balances', 0, {}, actorOf(call))
    return {}
  })
  on(getChannelJobs, async ({ language }) => ({ data: await jobs.states(language) }))
  on(stopChannelJob, async (call) => {
    await jobs.stop(call.body.job)
    await channels.note('stop_job', 0, { job: call.body.job }, actorOf(call))
    return {}
  })
}
