/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = [
  'open-mistral-7b',
  'open-mixtral-8x7b',
  'mistral-small-latest',
  'mistral-medium-latest',
  'mistral-large-latest',
  'mistral-embed',
]
