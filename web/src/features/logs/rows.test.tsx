import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { logColumns } from './columns.tsx'
import { useLogMessages } from './messages.ts'
import { cachedShare, firstTokenPace, tokensPerSecond, totalPace } from './other.ts'
import { reasonOf, spanOf } from './receipt/waterfall.tsx'
import { keyName, resultOf } from './result.ts'
import { detailsText } from './sheet/details.ts'
import { testLog } from './testing-log.ts'

const { say } = useLogMessages

beforeEach(() => setLanguage('zh'))

it('rates durations at the required bounds', () => {
  expect([100_999, 101_000, 299_999, 300_000].map(totalPace)).toEqual(['good', 'warn', 'warn', 'bad'])
  expect([2_999, 3_000, 9_999, 10_000].map(firstTokenPace)).toEqual(['good', 'warn', 'warn', 'bad'])
})

it('counts the speed of a stream from its first token', () => {
  const log = testLog({ is_stream: true, completion_tokens: 100, other: { frt: 1000, duration_ms: 3000 } })
  expect(tokensPerSecond(log)).toBe(50)
})

it('keeps a short try visible in the waterfall and inside its track', () => {
  const try1 = { channel: 1, started_ms: 9999, duration_ms: 1, status: 429, error: 'busy' }
  const { start, width } = spanOf(try1, 10_000)
  expect(width).toBeGreaterThan(0.5)
  expect(start + width).toBeLessThanOrEqual(100)
})

it.each([
  ['upstream status 429: {"error":{"message":"slow down","code":"busy"}}', 'slow down'],
  ['upstream status 502: <html>', 'upstream status 502: <html>'],
  ['connection refused', 'connection refused'],
])('finds the sentence in what an upstream answered: %s', (error, sentence) => expect(reasonOf(error)).toBe(sentence))

it('says status, code and cause of a failed request', () => {
  const log = testLog({ type: 5, content: 'busy', other: { status: 429, error_code: 'rate_limit_exceeded' } })
  expect(detailsText(log, say)).toBe('429 rate_limit_exceeded · busy')
})

describe('columns', () => {
  const ids = (isAdmin: boolean): string[] => logColumns(say, { isAdmin }).map((column) => column.id)

  it('show channel, user and retries to admins only', () => {
    expect(ids(true)).toEqual(expect.arrayContaining(['channel', 'username', 'retry']))
    for (const id of ['channel', 'username', 'retry']) expect(ids(false)).not.toContain(id)
  })
})

describe('the result of a row', () => {
  const of = (log: Parameters<typeof testLog>[0]) => {
    const { tone, label, cause } = resultOf(testLog(log), say)
    return [tone, label, cause].join(' | ')
  }

  it('is success, with the number of retries', () => {
    const tries = [1, 2].map((channel) => ({ channel, started_ms: 0, duration_ms: 1, status: 200, error: '' }))
    expect(of({})).toBe('good | 成功 | ')
    expect(of({ other: { admin_info: { attempts: tries } } })).toBe('good | 成功 | 重试 1 次')
  })

  it('is a failure with the status and the cause, and how often it was repeated', () => {
    expect(of({ type: 5, content: 'x', other: { status: 429, error_code: 'rate_limit_exceeded' } })).toBe(
      'bad | 失败 429 | 触发限流',
    )
    expect(of({ type: 5, content: 'strange', other: { status: 500, error_code: 'odd', repeated: 3 } })).toBe(
      'bad | 失败 500 | 3 次 · strange',
    )
  })

  it('is cancelled where the client left, charged or not, and incomplete where the provider broke off', () => {
    expect(of({ other: { end: 'client_gone' } })).toBe('off | 已取消 | 客户端断开')
    expect(of({ type: 5, other: { end: 'client_gone', status: 499 } })).toBe('off | 已取消 | 客户端断开')
    expect(of({ other: { end: 'upstream_broke' } })).toBe('warn | 未完成 | 上游中断')
  })

  it('is the kind of an entry that is no call', () => {
    expect(of({ type: 1, content: 'topped up' })).toBe('info | 充值 | topped up')
  })
})

it('names tests of channels, which have no key', () => {
  expect(keyName(testLog({ token_id: 0, token_name: '模型测试' }), say)).toBe('测试')
  expect(keyName(testLog({ token_name: '模型测试' }), say)).toBe('模型测试')
})

it('knows which part of the input came from a cache', () => {
  expect(cachedShare(testLog({ prompt_tokens: 100, other: { cache_tokens: 94 } }))).toBe(0.94)
  expect(cachedShare(testLog({ prompt_tokens: 100 }))).toBeUndefined()
})
