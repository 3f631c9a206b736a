import type { CacheMiss } from '../../lib/api/contract.ts'
import { defineMessages } from '../../lib/i18n.ts'
import { formatInteger } from '../../lib/text/format.ts'

/** Why a prompt was not read from the provider's cache, and what helps. */
export const useCacheMissMessages = defineMessages('cache-miss', {
  zh: {
    moved: '会话换了渠道或密钥，新的账号没有缓存。',
    model_changed: '会话换了模型，每个模型有自己的缓存。',
    tools_order: '工具列表的顺序变了。请让客户端的 MCP 服务保持同一顺序。',
    tools_changed: '工具有增减或修改。',
    instructions_time: '系统提示里的数字变了，多半是时间。请把时间放到对话末尾。',
    instructions_changed: '系统提示变了。',
    turns_removed: '对话被压缩或删去了一部分。',
    turn_edited: '第 {{turn}} 条消息被修改。',
    effort_changed: '推理强度变了。',
    expired: '缓存在 {{minutes}} 分钟没有调用后过期。',
    below_minimum: '提示短于提供商缓存的最小长度。',
    unknown: '开头没有变化，提供商仍没有从缓存读取。',
  },
  en: {
    moved: 'The session went to another channel or key, whose account has no cache of it.',
    model_changed: 'The session changed its model, and each model has a cache of its own.',
    tools_order: 'The order of the tool list changed. Keep the MCP servers in one order in the client.',
    tools_changed: 'Tools were added, removed or changed.',
    instructions_time:
      'Figures in the system prompt changed, probably a time. Put the time at the end of the conversation.',
    instructions_changed: 'The system prompt changed.',
    turns_removed: 'The conversation was compacted, or a part of it removed.',
    turn_edited: 'Message {{turn}} was edited.',
    effort_changed: 'The reasoning effort changed.',
    expired: 'The cache expired: {{minutes}} minutes passed without a call.',
    below_minimum: 'The prompt is shorter than any that the provider caches.',
    unknown: 'The beginning is unchanged, and still the provider did not read it from its cache.',
  },
})

/** The cause of a miss as a sentence. */
export const missText = ({ cause, turn = 0, minutes = 0 }: CacheMiss, say: typeof useCacheMissMessages.say): string => {
  if (cause === 'turn_edited') return say(cause, { turn: formatInteger(turn) })
  if (cause === 'expired') return say(cause, { minutes: formatInteger(minutes) })
  return say(cause)
}
