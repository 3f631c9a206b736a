import { z } from 'zod'
import { json, section } from './kinds.ts'

/** Schemes that would run script in the console instead of opening a client. */
const runsScript = /^\s*(javascript|data|vbscript):/i

const chatLink = z
  .record(
    z.string().min(1),
    z.string().refine((link) => !runsScript.test(link)),
  )
  .refine((entry) => Object.keys(entry).length === 1)

export const chats = section({
  name: 'chats',
  tab: 'operation',
  title: { zh: '令牌聊天设置', en: 'Chat clients' },
  note: {
    zh: '链接中的 {key} 会替换为令牌（sk-…），{address} 会替换为服务器地址（末尾不带 / 和 /v1）',
    en: '{key} is replaced with the API key (sk-…), {address} with the server address without a trailing / or /v1',
  },
  options: {
    Chats: json<Record<string, string>[]>({
      fallback: [],
      status: 'chats',
      schema: z.array(chatLink),
      allowed: { zh: '[{ 名称: 链接 }, …]', en: '[{ name: link }, …]' },
      label: { zh: '聊天配置', en: 'Chat links' },
      help: { zh: '显示在侧边栏和令牌操作中的链接', en: 'Links shown in the sidebar and on API keys' },
    }),
  },
})
