import { type ErrorCode, errorText } from '@tollgate/contract'
import { expect, it } from 'vitest'
import { readCause } from './stored-cause.ts'
import { ownCause, printedCause } from './stored-error.ts'

it('reads a cause of ours by its code, in every language', () => {
  const stored = printedCause(ownCause('channel_too_slow', { seconds: '6.20', limit: '5.00' }), 500)
  const fields = { code: 'channel_too_slow', params: { seconds: '6.20', limit: '5.00' } }
  expect(readCause(stored, 'zh')).toEqual({ text: '响应时间 6.20s 超过阈值 5.00s', ...fields })
  const english = 'It took 6.20 s to answer, more than the limit of 5.00 s'
  expect(readCause(stored, 'en')).toEqual({ text: english, ...fields })
})

it('reads the same from the Chinese text that earlier versions stored', () => {
  expect(readCause('响应时间 6.20s 超过阈值 5.00s', 'en')).toEqual({
    text: 'It took 6.20 s to answer, more than the limit of 5.00 s',
    code: 'channel_too_slow',
    params: { seconds: '6.20', limit: '5.00' },
  })
  expect(readCause('status code 502: 上游连接中断', 'en').text).toBe('The upstream broke off')
})

it.each<[ErrorCode, string]>([
  ['channel_keys_disabled', '所有密钥均已禁用'],
  ['channel_balance_spent', '余额不足'],
  ['task_channel_gone', '获取渠道信息失败，请联系管理员，渠道ID：7'],
  ['task_channel_disabled', '该任务所属渠道已被禁用'],
  ['task_not_submitted', '任务提交失败'],
  ['task_timed_out', '上游任务超时（超过1小时）'],
  ['drawing_busy', '当前分组负载已饱和，请稍后再试，或升级账户以提升服务质量。'],
])('knows %s by the text that clients read, byte for byte', (code, text) => {
  const { params, ...cause } = readCause(text, 'en')
  expect(cause).toEqual({ text: errorText(code, 'en', params), code })
})

it.each(['额度不足，请充值', 'status code 401: Incorrect API key', 'busy', ''])(
  'leaves %j of another program as it is',
  (text) => expect(readCause(text, 'en')).toEqual({ text }),
)
