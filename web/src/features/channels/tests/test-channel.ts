import { callWhole } from '../../../lib/api/api.ts'
import { type Channel, calls } from '../../../lib/api/contract.ts'
import { defineMessages } from '../../../lib/i18n.ts'
import { notifyInfo } from '../../../lib/notify.tsx'
import { useAction } from '../../../lib/query.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import { aboutChannels } from '../about-channels.ts'

const useMessages = defineMessages('test-channel', {
  zh: {
    testing: '正在测试渠道 {{name}}…',
    tested: '渠道 {{name}} 测试成功，耗时 {{time}} 秒。',
    testFailed: '渠道 {{name}} 测试失败：{{reason}}',
  },
  en: {
    testing: 'Testing channel {{name}}…',
    tested: 'Channel {{name}} works ({{time}} s)',
    testFailed: 'Channel {{name}} failed: {{reason}}',
  },
})

/** Tests a channel with its own test model and reports the duration, or the upstream's error. */
export const useTestChannel = (): ((channel: Pick<Channel, 'id' | 'name'>) => Promise<void>) => {
  const say = useMessages()
  const test = useAction(
    async ({ id, name }: Pick<Channel, 'id' | 'name'>): Promise<number> => {
      notifyInfo(say('testing', { name }))
      try {
        return Number((await callWhole(calls.testChannel, { params: { id }, query: { model: '' } })).time)
      } catch (error) {
        throw new Error(say('testFailed', { name, reason: errorText(error) }))
      }
    },
    {
      done: (seconds, { name }) => say('tested', { name, time: seconds.toFixed(2) }),
      refresh: aboutChannels,
      refreshAfterFailure: aboutChannels,
    },
  )
  return async (channel) => {
    await test.run(channel)
  }
}
