import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../lib/api/contract.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { inverseOf } from './inverse.ts'
import { useAuditMessages } from './messages.ts'
import { type AuditWords, changeLinesOf, entryText, sentenceOf } from './sentence.ts'
import { useSentenceMessages } from './sentence-messages.ts'

const words: AuditWords = {
  say: useAuditMessages.say,
  saySentence: useSentenceMessages.say,
  money: (quota) => `$${(quota / 500_000).toFixed(2)}`,
  moment: (at) => `at ${at}`,
}

const entry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 7,
  created_at: 1_900_000_000,
  actor_id: 1,
  actor_name: 'root',
  action: 'channel.update',
  object: 'channel',
  object_id: '5',
  object_name: 'Azure',
  before: {},
  after: {},
  ip: '',
  ...fields,
})

beforeEach(() => setLanguage('en'))

describe('an entry as a sentence', () => {
  const ofUser = { object: 'user', object_id: '9', object_name: 'carol' }
  const ofTeam = { object: 'organisation', object_id: '1', object_name: 'Northwind' }
  it.each<[string, Partial<AuditEntry>]>([
    [
      'root changed channel Azure · weight 1 → 2 · models +gpt-5, −gpt-4',
      { before: { weight: 1, models: 'gpt-4,o3' }, after: { weight: 2, models: 'o3,gpt-5' } },
    ],
    [
      'System disabled channel Azure automatically · reason 401 Incorrect API key',
      {
        actor_id: 0,
        actor_name: 'system',
        action: 'channel.auto_disable',
        before: { status: 1 },
        after: { status: 3, name: 'Azure', reason: '401 Incorrect API key' },
      },
    ],
    ['root changed channel Azure · status enabled → disabled', { before: { status: 1 }, after: { status: 2 } }],
    [
      'root changed the balance of user carol · balance $1.00 → $6.00',
      { ...ofUser, action: 'user.quota', before: { quota: 500_000 }, after: { quota: 3_000_000 } },
    ],
    [
      'root set the cap of billing-api in organisation Northwind · period month · amount $30.00',
      {
        ...ofTeam,
        action: 'organisation.cap',
        after: { subject: 'project', subject_id: 4, period: 'month', amount: 15_000_000 },
        names: { subject_id: 'billing-api' },
      },
    ],
    [
      'root removed dave from organisation Northwind',
      { ...ofTeam, action: 'organisation.member_remove', after: { user_id: 3 }, names: { user_id: 'dave' } },
    ],
    [
      'root changed setting RetryTimes · 1 → 3',
      {
        action: 'option.update',
        object: 'option',
        object_id: 'RetryTimes',
        object_name: undefined,
        before: { RetryTimes: '1' },
        after: { RetryTimes: '3' },
      } as Partial<AuditEntry>,
    ],
    [
      'root changed API key laptop · expires never → at 1900000100',
      {
        action: 'token.update',
        object: 'token',
        object_name: 'laptop',
        before: { expired_time: -1 },
        after: { expired_time: 1_900_000_100 },
      },
    ],
    [
      'root created limit three an hour · measure requests · amount 3',
      {
        action: 'limit.create',
        object: 'limit',
        object_name: 'three an hour',
        after: { name: 'three an hour', enabled: true, measure: 'requests', amount: 3, hours: 0, note: '' },
      },
    ],
    ['carol signed in', { ...ofUser, object: 'session', action: 'session.start' }],
    ['A sign-in as carol was refused', { ...ofUser, object: 'session', action: 'session.refused', actor_id: 0 }],
    ['root: robot Azure · robot.paint', { object: 'robot', action: 'robot.paint' }],
  ])('%s', (text, fields) => {
    expect(entryText(entry(fields), words)).toBe(text)
  })

  it('is one in every language', () => {
    setLanguage('zh')
    expect(sentenceOf(entry(), words)).toBe('root 修改了渠道 Azure')
    expect(changeLinesOf(entry({ before: { status: 1 }, after: { status: 2 } }), words)).toEqual(['状态 启用 → 禁用'])
  })
})

describe('the inverse of an entry', () => {
  it('puts options back while they hold what the entry left', () => {
    const option = { action: 'option.update', object: 'option', object_id: 'RetryTimes' }
    expect(inverseOf(entry({ ...option, before: { RetryTimes: '1' }, after: { RetryTimes: '3' } }))).toEqual({
      kind: 'option',
      key: 'RetryTimes',
      value: '1',
      was: '3',
    })
    expect(inverseOf(entry({ ...option, before: { RetryTimes: 0 }, after: { RetryTimes: 3 } }))).toMatchObject({
      value: '0',
      was: '3',
    })
    expect(inverseOf(entry({ ...option, before: { RetryTimes: '***' }, after: { RetryTimes: '***' } }))).toBeUndefined()
    expect(inverseOf(entry({ ...option, before: { 'RetryTimes/a': 1 }, after: { 'RetryTimes/a': 2 } }))).toBeUndefined()
  })

  it('puts fields of channels back, if the entry holds all that changed', () => {
    const changed = { before: { weight: 1, name: 'a' }, after: { weight: 2, name: 'b' } }
    expect(inverseOf(entry(changed))).toEqual({ kind: 'channel', id: 5, ...changed })
    expect(
      inverseOf(entry({ action: 'channel.auto_disable', before: { status: 1 }, after: { status: 3, reason: '401' } })),
    ).toEqual({ kind: 'channel', id: 5, before: { status: 1 }, after: { status: 3 } })
    expect(inverseOf(entry({ before: { key: '***' }, after: { key: '***' } }))).toBeUndefined()
    const partly = { before: { weight: 1, base_url: 'https://a' }, after: { weight: 2, base_url: 'https://b' } }
    expect(inverseOf(entry(partly))).toBeUndefined()
    expect(inverseOf(entry({ before: { weight: 1 }, after: { weight: 2, key: '***' } }))).toBeUndefined()
    expect(inverseOf(entry({ action: 'channel.delete', before: { weight: 1 } }))).toBeUndefined()
  })
})
