import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '@tollgate/contract/errors'
import { afterEach, expect, it } from 'vitest'
import { loadLanguage, registeredMessages, setLanguage } from '../i18n.ts'
import { causeText } from './cause-text.ts'

afterEach(() => setLanguage('zh'))

it('writes what the server stored in Chinese in the reader’s language, and leaves upstreams their words', async () => {
  setLanguage('en')
  expect(causeText('上游响应超时')).toBe('The upstream did not answer in time')
  expect(causeText('status code 502: 上游连接中断')).toBe('The upstream broke off')
  expect(causeText('响应时间 6.20s 超过阈值 5.00s')).toBe('It took 6.20 s to answer, more than the limit of 5.00 s')
  expect(causeText('额度不足，请充值')).toBe('额度不足，请充值')
  expect(causeText('status code 401: Incorrect API key')).toBe('status code 401: Incorrect API key')
  await loadLanguage('ja')
  setLanguage('ja')
  expect(causeText('所有密钥均已禁用')).toBe('すべてのキーが無効です')
})

it('knows its sentences as the server writes them', () => {
  const server = (path: string): string =>
    readFileSync(join(import.meta.dirname, '../../../../server/src', path), 'utf8')
  const written = [
    ...Object.values(errors).map(({ zh }) => zh.replace(/\{(\w+)\}/g, '{{$1}}')),
    server('features/channels/keys/keys.ts'),
    server('features/channels/jobs/jobs.ts'),
    server('features/task-progress/refresh.ts').replace(/\$\{channelId\}/, '{{channel}}'),
    server('features/task-progress/progress.ts'),
    server('relay/tasks/task-relay.ts'),
    server('relay/tasks/drawing-verdict.ts'),
  ].join('\n')
  const stored = Object.values(registeredMessages().get('causes')?.zh ?? {})
  expect(stored.length).toBeGreaterThan(10)
  expect(stored.filter((text) => !written.includes(text))).toEqual([])
})
