/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = [
  'abab6.5-chat',
  'abab6.5s-chat',
  'abab6-chat',
  'abab5.5-chat',
  'abab5.5s-chat',
  'image-01',
  'speech-2.6-hd',
  'speech-2.6-turbo',
  'speech-02-hd',
]
