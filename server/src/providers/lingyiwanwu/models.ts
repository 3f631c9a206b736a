/** Models that the console offers for a new channel of this type. */
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
