import { ownMember } from '@tollgate/contract/own-member'

/** Model → last segment of its address. Models without an entry use their name in lower case. */
const names: Readonly<Record<string, string>> = {
  'ERNIE-4.0': 'completions_pro',
  'ERNIE-Bot-4': 'completions_pro',
  'ERNIE-4.0-8K': 'completions_pro',
  'ERNIE-Bot': 'completions',
  'ERNIE-3.5-8K': 'completions',
  'ERNIE-Bot-turbo': 'eb-instant',
  'ERNIE-Lite-8K-0922': 'eb-instant',
  'ERNIE-Speed': 'ernie_speed',
  'ERNIE-Speed-8K': 'ernie_speed',
  'ERNIE-Bot-8K': 'ernie_bot_8k',
  'ERNIE-Lite-8K-0308': 'ernie-lite-8k',
  'BLOOMZ-7B': 'bloomz_7b1',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
}

const kindOf = (path: string): string => {
  if (path.endsWith('/embeddings')) return 'embeddings'
  return path.endsWith('/rerank') ? 'reranker' : 'chat'
}

/** `ERNIE-4.0-8K` at `/v1/chat/completions` → `chat/completions_pro`. */
export const wenxinAddress = (model: string, path: string): string =>
  `${kindOf(path)}/${ownMember(names, model) ?? encodeURIComponent(model.toLowerCase())}`
