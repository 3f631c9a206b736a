import { expect, it } from 'vitest'
import { relayOptions } from './relay-options.ts'
import { defaultState, type OptionSnapshot } from './snapshot.ts'

const withValues = (changed: Partial<OptionSnapshot>): OptionSnapshot => ({ ...defaultState.values, ...changed })

it('gives the relay the defaults of the reference', () => {
  expect(relayOptions(() => defaultState.values)()).toEqual({
    retryTimes: 0,
    preConsumedTokens: 500,
    overdraft: 0,
    amounts: { inCurrency: true, quotaPerUnit: 500_000 },
    freeWithoutBalance: false,
    logConsume: true,
    passThrough: false,
    rateLimit: { enabled: false, minutes: 1, count: 0, successCount: 1000 },
    sensitiveWords: ['test_sensitive'],
    answerCheck: { words: [], stop: true, hold: 0 },
    onClientGone: 'cancel',
    modelMembers: 'refuse',
    strictGroups: new Set(),
    storage: { days: 30, without: new Set() },
    sessionLimits: new Map(),
    cacheMarks: new Map(),
    channelChoices: new Map(),
    avoidsLosses: false,
    hedgedGroups: new Set(),
    modelAliases: new Map(),
    modelEnds: new Map(),
    models: {
      claude: { maxTokens: { default: 8192 }, thinkingAdapter: true, thinkingShare: 0.8, headers: {} },
      gemini: {
        safety: { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
        versions: { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
      },
    },
  })
})

it.each(['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled'] as const)(
  'checks no blocked words when %s is off',
  (key) => {
    expect(relayOptions(() => withValues({ [key]: false }))().sensitiveWords).toEqual([])
  },
)

it('checks answers where the operator turned the check on, and holds events back as configured', () => {
  const values = withValues({ CheckSensitiveOnCompletionEnabled: true, SensitiveWords: ['BadWord'] })
  expect(relayOptions(() => values)().answerCheck).toEqual({ words: ['badword'], stop: true, hold: 0 })
  const off = { ...values, CheckSensitiveEnabled: false }
  expect(relayOptions(() => off)().answerCheck.words).toEqual([])
  const quiet = { ...values, StopOnSensitiveEnabled: false, StreamCacheQueueLength: 3 }
  expect(relayOptions(() => quiet)().answerCheck).toMatchObject({ stop: false, hold: 3 })
})

it('lowers the case of blocked words', () => {
  expect(relayOptions(() => withValues({ SensitiveWords: ['BadWord'] }))().sensitiveWords).toEqual(['badword'])
})

it('is put together once per change', () => {
  let values = defaultState.values
  const current = relayOptions(() => values)
  expect(current()).toBe(current())
  values = withValues({ RetryTimes: 2 })
  expect(current().retryTimes).toBe(2)
})
