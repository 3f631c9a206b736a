import { expect, it } from 'vitest'
import { chatBody } from './chat-body.ts'

const notice = {
  kind: 'quota_exceed',
  title: 'Low balance',
  content: '{{value}} are left.',
  values: ['$1'],
  link: { label: 'Top up', url: 'https://gate.example/topup', otherwise: '' },
}
const text = 'Low balance\n$1 are left.\nhttps://gate.example/topup'

it.each([
  ['https://hooks.slack.com/services/T/B/x', { text }],
  ['https://discord.com/api/webhooks/1/x', { content: text, allowed_mentions: { parse: [] } }],
  ['https://open.feishu.cn/open-apis/bot/v2/hook/x', { msg_type: 'text', content: { text } }],
  ['https://oapi.dingtalk.com/robot/send?access_token=x', { msgtype: 'text', text: { content: text } }],
  ['https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x', { msgtype: 'text', text: { content: text } }],
  ['https://api.telegram.org/bot1:x/sendMessage?chat_id=-100', { chat_id: '-100', text }],
])('says a notice as %s takes it', (url, body) => {
  expect(JSON.parse(chatBody(url, notice) ?? '')).toEqual(body)
})

it('leaves other addresses their own body', () => {
  expect(chatBody('https://hooks.slack.com.example/x', notice)).toBeUndefined()
  expect(chatBody('no address', notice)).toBeUndefined()
})
