/** Names offered when a channel of this type is made. */
export const models: readonly string[] = [
  'qwen-turbo',
  'qwen-plus',
  'qwen-max',
  'qwen-max-longcontext',
  'text-embedding-v1',
]
