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
    zh: '链接中的 {key} 将自动替换为 sk-xxxx，{address} 将自动替换为系统设置的服务器地址，末尾不带 / 和 /v1',
    en: 'In a link, {key} becomes the key (sk-…) and {address} the server address without a trailing / or /v1',
  },
  options: {
    Chats: json<Record<string, string>[]>({
      fallback: [],
      status: 'chats',
      schema: z.array(chatLink),
      allowed: { zh: '[{ 名称: 链接 }, …]', en: '[{ name: link }, …]' },
      label: { zh: '聊天配置', en: 'Chat links' },
      help: { zh: '每项为一个名称与链接', en: 'A list of entries, each one name with its link' },
    }),
  },
})
