import { caption, countCaption } from '../captions.ts'
import type { DialectPaths } from '../paths.ts'

export const paths: DialectPaths = {
  api: 'Anthropic',
  exact: {
    'POST /v1/messages': { kind: 'conversation', model: '', stream: false },
    'POST /v1/messages/count_tokens': { kind: 'count', model: '' },
  },
  match: () => undefined,
  owns: (path) => /^\/v1\/messages(\/|$)/.test(path),
  offered: [
    ['POST /v1/messages', caption(['消息', 'Messages'], ['Anthropic 客户端的对话接口', 'Chat for Anthropic clients'])],
    ['POST /v1/messages/count_tokens', countCaption],
  ],
  isTurn: (path) => !path.endsWith('/count_tokens'),
  isTranslatable: () => true,
  asksForList: () => false,
}
