/** Names offered when a channel of this type is made. */
export const models: readonly string[] = [
  'yi-large',
  'yi-medium',
  'yi-vision',
  'yi-medium-200k',
  'yi-spark',
  'yi-large-rag',
  'yi-large-turbo',
  'yi-large-preview',
  'yi-large-rag-preview',
]
