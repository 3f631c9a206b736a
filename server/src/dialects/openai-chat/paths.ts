import { caption } from '../captions.ts'
import type { DialectPaths } from '../paths.ts'

export const paths: DialectPaths = {
  api: 'OpenAI',
  exact: {
    'POST /v1/chat/completions': { kind: 'conversation', model: '', stream: false },
    'POST /pg/chat/completions': { kind: 'conversation', model: '', stream: false, playground: true },
  },
  match: () => undefined,
  // The prefix /v1 is shared with other dialects.
  owns: () => false,
  offered: [
    [
      'POST /v1/chat/completions',
      caption(['对话', 'Chat'], ['流式与非流式，工具调用，图片输入', 'Streaming or not, tools, images']),
    ],
  ],
  isTurn: () => true,
  isTranslatable: () => true,
  asksForList: () => false,
}
