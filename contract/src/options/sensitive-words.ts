import { flag, integer, list, section } from './kinds.ts'

export const sensitiveWords = section({
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
      help: { zh: '含屏蔽词的请求会被拒绝', en: 'Requests with a blocked word are refused' },
    }),
    SensitiveWords: list({
      fallback: ['test_sensitive'],
      label: { zh: '屏蔽词列表', en: 'Blocked words' },
      help: { zh: '一行一个屏蔽词，不区分大小写', en: 'One per line, upper and lower case alike' },
    }),
    CheckSensitiveOnCompletionEnabled: flag({
      fallback: true,
      inert: true,
      label: { zh: '启用生成内容检查', en: 'Check answers' },
      help: { zh: '仅为兼容而保存，没有作用', en: 'Stored for compatibility, without effect' },
    }),
    StopOnSensitiveEnabled: flag({
      fallback: true,
      inert: true,
      label: { zh: '检测到屏蔽词时停止', en: 'Stop on a blocked word' },
      help: { zh: '仅为兼容而保存，没有作用', en: 'Stored for compatibility, without effect' },
    }),
    StreamCacheQueueLength: integer({
      fallback: 0,
      min: 0,
      max: 100_000,
      inert: true,
      label: { zh: '流式缓存队列长度', en: 'Stream cache queue length' },
      help: { zh: '仅为兼容而保存，没有作用', en: 'Stored for compatibility, without effect' },
    }),
  },
})
