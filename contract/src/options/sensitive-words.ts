import { flag, integer, list, section } from './kinds.ts'

export const sensitiveWords = section({
  name: 'sensitive-words',
  tab: 'operation',
  title: { zh: '屏蔽词过滤设置', en: 'Blocked words' },
  options: {
    CheckSensitiveEnabled: flag({
      fallback: true,
      label: { zh: '启用屏蔽词过滤功能', en: 'Check for blocked words' },
      help: { zh: '总开关', en: 'The main switch' },
    }),
    CheckSensitiveOnPromptEnabled: flag({
      fallback: true,
      label: { zh: '启用 Prompt 检查', en: 'Check prompts' },
      help: { zh: '拒绝含屏蔽词的请求', en: 'Rejects requests that contain a blocked word' },
    }),
    SensitiveWords: list({
      fallback: ['test_sensitive'],
      label: { zh: '屏蔽词列表', en: 'Blocked words' },
      help: { zh: '一行一个屏蔽词，不区分大小写', en: 'One per line, case-insensitive' },
    }),
    CheckSensitiveOnCompletionEnabled: flag({
      fallback: false,
      label: { zh: '启用生成内容检查', en: 'Check responses' },
      help: {
        zh: '适用于流式与非流式回答，会增加每次调用的开销',
        en: 'Applies to streamed and non-streamed responses. Adds some overhead to each call.',
      },
    }),
    StopOnSensitiveEnabled: flag({
      fallback: true,
      label: { zh: '检测到屏蔽词时停止', en: 'Stop on a blocked word' },
      help: {
        zh: '立即结束回答并返回错误，已生成的部分照常计费；关闭时仅记录在日志中',
        en: 'The response ends with an error; generated output is billed. If off, the match is only logged.',
      },
    }),
    StreamCacheQueueLength: integer({
      fallback: 0,
      min: 0,
      max: 1_000,
      label: { zh: '流式缓存队列长度', en: 'Stream buffer (events)' },
      help: {
        zh: '检查时暂缓发出的流式事件数，用于发现跨事件的屏蔽词；0 表示不缓存',
        en: 'Stream events held back while checking, so that words split across events are caught. 0: none.',
      },
    }),
  },
})
