import { filledContent, type Notice } from './texts.ts'

/** Telegram takes 4,096 characters and Discord 2,000; the shortest bounds all. */
const longestText = 1900

const textOf = (notice: Notice): string => {
  const lines = [notice.title, filledContent(notice), ...(notice.link === undefined ? [] : [notice.link.url])]
  return [...new Set(lines)].join('\n').slice(0, longestText)
}

type Body = (text: string, address: URL) => object

const larkBody: Body = (text) => ({ msg_type: 'text', content: { text } })
const workBody: Body = (text) => ({ msgtype: 'text', text: { content: text } })
const discordBody: Body = (content) => ({ content, allowed_mentions: { parse: [] } })

/** Bodies of chats' incoming webhooks, by host. */
const bodies: ReadonlyMap<string, Body> = new Map([
  // docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  ['hooks.slack.com', (text) => ({ text })],
  // discord.com/developers/docs/resources/webhook#execute-webhook
  ['discord.com', discordBody],
  ['discordapp.com', discordBody],
  // open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
  ['open.feishu.cn', larkBody],
  ['open.larksuite.com', larkBody],
  // open.dingtalk.com/document/orgapp/custom-robots-send-group-messages
  ['oapi.dingtalk.com', workBody],
  // developer.work.weixin.qq.com/document/path/91770
  ['qyapi.weixin.qq.com', workBody],
  // core.telegram.org/bots/api#sendmessage; the address ends with /sendMessage?chat_id=…
  ['api.telegram.org', (text, { searchParams }) => ({ chat_id: searchParams.get('chat_id') ?? '', text })],
])

/** The notice as the chat at an address shows it; undefined where the address is of no chat. */
export const chatBody = (url: string, notice: Notice): string | undefined => {
  const address = URL.parse(url)
  const body = address === null ? undefined : bodies.get(address.hostname)
  return address === null || body === undefined ? undefined : JSON.stringify(body(textOf(notice), address))
}
