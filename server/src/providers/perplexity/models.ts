/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
export const models: readonly string[] = [
  'sonar-pro',
  'sonar',
  'sonar-reasoning-pro',
  'sonar-reasoning',
  'sonar-deep-research',
  'llama-3-sonar-large-32k-online',
  'llama-3-sonar-large-32k-chat',
  'llama-3-sonar-small-32k-online',
  'llama-3-sonar-small-32k-chat',
  'mixtral-8x7b-instruct',
]
