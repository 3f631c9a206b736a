import { describe, expect, it } from 'vitest'
import { errorText } from '../errors.ts'
import { type LogTextCode, logTemplates, type StoredLogText, writeLogError, writeLogText } from './log-texts.ts'

const samples = {
  registration_gift: { amount: 500_000 },
  invitee_gift: { amount: 500_000 },
  inviter_gift: { amount: 500_000 },
  quota_changed: { from: 500_000, to: 0 },
  topped_up: { amount: 5_000_000, money: 73 },
  code_redeemed: { amount: 1_000_000, id: 7 },
  drawing_refunded: { task: '1700', amount: 5000 },
  price_corrected: { correction: 3, calls: 12, from: 500_000, to: 0 },
  cache_refunded: { name: 'cachedContents/a', amount: 5000 },
  task_refunded: { task: 'abc', amount: 5000 },
} as const satisfies { [Code in LogTextCode]: Extract<StoredLogText, { code: Code }>['params'] }

const codes = Object.keys(logTemplates) as LogTextCode[]
const sentence = (code: LogTextCode, unit = 500_000): StoredLogText =>
  ({ code, params: samples[code], unit }) as StoredLogText

describe('sentences of the log', () => {
  it.each(codes)('%s has its figures in both languages, and no others', (code) => {
    const { figures, zh, en } = logTemplates[code]
    for (const text of [zh, en]) {
      expect([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()).toEqual(Object.keys(figures).sort())
    }
  })

  it('call amounts in quota units amount, from or to: the console writes these as money', () => {
    const kinds = Object.values(logTemplates).flatMap(({ figures }) => Object.entries(figures))
    for (const [name, kind] of kinds) expect(kind === 'quota', name).toBe(['amount', 'from', 'to'].includes(name))
    for (const [name, kind] of kinds) expect(kind === 'money', name).toBe(name === 'money')
  })

  it.each([
    ['registration_gift', '新用户注册赠送 ＄1.000000 额度', 'Gift to new users: $1.000000'],
    ['invitee_gift', '使用邀请码赠送 ＄1.000000 额度', 'Gift for using an invitation code: $1.000000'],
    ['inviter_gift', '邀请用户赠送 ＄1.000000 额度', 'Gift for inviting a user: $1.000000'],
    [
      'quota_changed',
      '管理员将用户额度从 ＄1.000000 额度修改为 ＄0.000000 额度',
      'An administrator changed the quota from $1.000000 to $0.000000',
    ],
    [
      'topped_up',
      '使用在线充值成功，充值金额: ＄10.000000 额度，支付金额：73.000000',
      'Topped up online: $10.000000, paid: 73.000000',
    ],
    ['code_redeemed', '通过兑换码充值 ＄2.000000 额度，兑换码ID 7', 'Redeemed a code: $2.000000, code id 7'],
    ['drawing_refunded', '构图失败 1700，补偿 ＄0.010000 额度', 'Drawing 1700 failed, refunded $0.010000'],
    ['task_refunded', '异步任务执行失败 abc，补偿 ＄0.010000 额度', 'Task abc failed, refunded $0.010000'],
  ] as const)('writes %s', (code, zh, en) => {
    expect([writeLogText(sentence(code), 'zh'), writeLogText(sentence(code), 'en')]).toEqual([zh, en])
  })

  it('writes amounts as the site showed them when the sentence was stored', () => {
    expect(writeLogText(sentence('registration_gift', 0), 'zh')).toBe('新用户注册赠送 500000 点额度')
    expect(writeLogText(sentence('registration_gift', 0), 'en')).toBe('Gift to new users: 500000 quota units')
    expect(writeLogText(sentence('registration_gift', 1_000_000), 'zh')).toBe('新用户注册赠送 ＄0.500000 额度')
  })

  it.each([
    undefined,
    null,
    'text',
    {},
    { code: 'of_a_later_version', params: {}, unit: 0 },
    { code: 'constructor', params: {}, unit: 0 },
    { code: 'registration_gift', params: { amount: {} }, unit: 0 },
  ])('writes nothing for %j', (value) => expect(writeLogText(value, 'en')).toBeUndefined())

  it('leaves a place open whose figure is missing', () => {
    expect(writeLogText({ code: 'registration_gift', params: { constructor: 1 }, unit: 0 }, 'en')).toBe(
      'Gift to new users: {amount}',
    )
  })
})

describe('errors of failed calls', () => {
  const stored = { code: 'no_available_channel', params: { group: 'vip', model: 'm' } }

  it.each([
    ['zh', '当前分组 vip 下对于模型 m 无可用渠道'],
    ['en', errorText('no_available_channel', 'en', { group: 'vip', model: 'm' })],
  ] as const)('are written in %s', (language, text) => expect(writeLogError(stored, language)).toBe(text))

  it.each([
    undefined,
    'text',
    { code: 'no_available_channel' },
    { code: 'of_a_later_version', params: {} },
    { code: 'constructor', params: {} },
    { code: 'no_available_channel', params: { group: {} } },
  ])('are nothing for %j', (value) => expect(writeLogError(value, 'en')).toBeUndefined())
})
