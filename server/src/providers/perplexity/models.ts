/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = [
  'llama-3-sonar-small-32k-chat',
  'llama-3-sonar-small-32k-online',
  'llama-3-sonar-large-32k-chat',
  'llama-3-sonar-large-32k-online',
  'llama-3-8b-instruct',
  'llama-3-70b-instruct',
  'mixtral-8x7b-instruct',
]
