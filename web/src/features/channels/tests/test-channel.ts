import { callWhole } from '../../../lib/api/api.ts'
import { type Channel, calls } from '../../../lib/api/contract.ts'
import { words } from '../../../lib/i18n.ts'
import { notifyDone, notifyFailure, notifyInfo } from '../../../lib/notify.tsx'
import { useRefresh } from '../../../lib/query.ts'

const useWords = words('test-channel', {
  zh: {
    testing: '正在测试渠道 {{name}}…',
    tested: '渠道 {{name}} 测试成功，耗时 {{time}} 秒。',
    testFailed: '渠道 {{name}} 测试失败：{{reason}}',
  },
  en: {
    testing: 'Testing channel {{name}} …',
    tested: 'Channel {{name}} works: {{time}} s.',
    testFailed: 'Channel {{name}} failed its test: {{reason}}',
  },
})

/** Tests a channel with its own test model and reports the duration, or the upstream's error. */
export const useTestChannel = (): ((channel: Pick<Channel, 'id' | 'name'>) => Promise<void>) => {
  const say = useWords()
  const refresh = useRefresh()
  return async ({ id, name }) => {
    notifyInfo(say('testing', { name }))
    try {
      const { time } = await callWhole(calls.testChannel, { params: { id }, query: { model: '' } })
      notifyDone(say('tested', { name, time: Number(time).toFixed(2) }))
    } catch (error) {
      notifyFailure(say('testFailed', { name, reason: error instanceof Error ? error.message : String(error) }))
    }
    await refresh(calls.browseChannels, calls.getChannel, calls.getChannelHealth)
  }
}
