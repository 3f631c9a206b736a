import { expect, it } from 'vitest'
import { priceOf } from '../../test/support/billing/price.ts'
import { openTestRelay, type TestRelay, testCaller, testOptions } from '../../test/support/relay/ports.ts'
import { AppError } from '../lib/app-error.ts'
import { failureOf } from './failure.ts'
import type { FinishedCall, Hold, RequestRecord } from './ports.ts'
import { createAttemptLog } from './records/attempt-log.ts'
import { common } from './records/record.ts'
import { type Bill, type Held, type PaidCall, withHold } from './with-hold.ts'

/** Every way in which a call can end has one record, `charge` or `fail`, and leaves nothing held. */

const call = {
  id: 'r1',
  startedAt: 0,
  caller: testCaller,
  ip: '::1',
  path: '/v1/chat/completions',
  model: 'gpt-4o',
  stream: false,
}
const attemptLog = createAttemptLog()
const record: RequestRecord = {
  ...common(call, attemptLog, 0),
  ...({
    kind: 'charge',
    quota: 7,
    promptTokens: 1,
    completionTokens: 1,
    useTime: 0,
    content: '',
  } satisfies Partial<FinishedCall>),
  other: {},
  receipt: undefined,
}

type Story = PaidCall<Held, string, string, string>

/** A call that does what `changes` say, and the steps that it went through. */
const runCall = async (changes: Partial<Story>, partChanges: Partial<TestRelay> = {}) => {
  const parts = openTestRelay(partChanges)
  const steps: string[] = []
  let released = 0
  const hold: Hold = {
    quota: 1,
    release: () => {
      released += 1
    },
  }
  const story: Story = {
    call,
    attemptLog,
    hasWord: () => false,
    price: () => priceOf('gpt-4o'),
    hold: () => ({ hold }),
    run: async () => 'answer',
    settle: (answer): Bill<string> => ({ kind: 'charge', record, answer }),
    close: () => void steps.push('close'),
    deliver: (answer) => `delivered ${answer}`,
    fail: ({ code }) => `failed: ${code}`,
    ...changes,
  }
  const result = await withHold(story, parts)
  await parts.close()
  const kinds = parts.recorder.records.map(({ kind }) => kind)
  return { result, kinds, steps, isReleased: released > 0 }
}

const fail = (code: 'no_available_channel' | 'insufficient_user_quota'): never => {
  throw new AppError(code)
}

it('is charged once, and then its client gets the rest', async () => {
  expect(await runCall({})).toEqual({
    result: 'delivered answer',
    kinds: ['charge'],
    steps: ['close'],
    isReleased: true,
  })
})

it('waits for what does not come at once', async () => {
  const { result, kinds } = await runCall({
    hold: async () => ({ hold: undefined }),
    settle: async (answer) => ({ kind: 'charge', record, answer }),
    deliver: async (answer) => `late ${answer}`,
  })
  expect([result, ...kinds]).toEqual(['late answer', 'charge'])
})

it.each<[string, Partial<Story>, Partial<TestRelay>, string, boolean]>([
  ['while nothing can be recorded', {}, { readiness: { refusal: 'recording_failed' } }, 'recording_failed', false],
  ['beside a stranger', {}, { readiness: { refusal: 'other_gateway_serves' } }, 'other_gateway_serves', false],
  ['for a blocked word', { hasWord: () => true }, {}, 'sensitive_words_detected', false],
  ['where it has no price', { price: () => fail('no_available_channel') }, {}, 'no_available_channel', false],
  [
    'where it cannot be paid for',
    { hold: () => fail('insufficient_user_quota') },
    {},
    'insufficient_user_quota',
    false,
  ],
  ['where it cannot be made', { run: async () => fail('no_available_channel') }, {}, 'no_available_channel', true],
  [
    'without an answer',
    { settle: () => ({ kind: 'fail', failure: failureOf(new AppError('upstream_timeout')) }) },
    {},
    'upstream_timeout',
    true,
  ],
  [
    'where the answer cannot be built',
    {
      settle: () => {
        throw new Error('no form for it')
      },
    },
    {},
    'internal_error',
    true,
  ],
])('fails once and leaves nothing held %s', async (_, changes, parts, code, isHeld) => {
  const settings = { ...testOptions, sensitiveWords: ['x'] }
  expect(await runCall(changes, { settings, ...parts })).toEqual({
    result: `failed: ${code}`,
    kinds: ['error'],
    steps: ['close'],
    isReleased: isHeld,
  })
})

it('fails where its charge cannot be recorded', async () => {
  const { recorder, close } = openTestRelay()
  recorder.beforeEnd = ({ kind }) => {
    if (kind === 'charge') throw new AppError('recording_failed')
  }
  const { result, kinds, isReleased } = await runCall({}, { recorder })
  await close()
  expect([result, kinds, isReleased]).toEqual(['failed: recording_failed', ['error'], true])
})

it('stays charged where a listener of charges fails', async () => {
  const { channels, close } = openTestRelay()
  const charged = (): never => {
    throw new Error('full')
  }
  const { result, kinds } = await runCall({}, { channels: { ...channels, charged } })
  await close()
  expect([result, ...kinds]).toEqual(['delivered answer', 'charge'])
})
