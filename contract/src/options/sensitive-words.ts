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
      help: { zh: '含屏蔽词的请求会被拒绝', en: 'Requests with a blocked word are refused' },
    }),
    SensitiveWords: list({
      fallback: ['test_sensitive'],
      label: { zh: '屏蔽词列表', en: 'Blocked words' },
      help: { zh: '一行一个屏蔽词，不区分大小写', en: 'One per line, case-insensitive' },
    }),
    CheckSensitiveOnCompletionEnabled: flag({
      fallback: false,
      label: { zh: '启用生成内容检查', en: 'Check answers' },
      help: {
        zh: '检查模型返回的内容，流式与非流式均适用；会增加每次调用的开销',
        en: 'Looks at what models answer, streamed or whole; costs some work on every call',
      },
    }),
    StopOnSensitiveEnabled: flag({
      fallback: true,
      label: { zh: '检测到屏蔽词时停止', en: 'Stop on a blocked word' },
      help: {
        zh: '立即停止生成并返回错误，已生成的部分照常计费；关闭时照常返回，只在日志中注明',
        en: 'The answer ends with an error there, and what was produced is billed; when off, it is only noted in the log',
      },
    }),
    StreamCacheQueueLength: integer({
      fallback: 0,
      min: 0,
      max: 1_000,
      label: { zh: '流式缓存队列长度', en: 'Stream cache queue length' },
      help: {
        zh: '检查生成内容时暂缓发出的流式事件数，使跨事件的屏蔽词在发出前被发现；0 表示不缓存',
        en: 'Events of a stream that wait while answers are checked, so that a word is found before its first half is sent; 0 holds none',
      },
    }),
  },
})
