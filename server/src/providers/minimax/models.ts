/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
export const models: readonly string[] = [
  'MiniMax-M3',
  'MiniMax-M2.5',
  'MiniMax-M2.5-lightning',
  'MiniMax-M2.1',
  'MiniMax-M2.1-lightning',
  'MiniMax-M2',
  'speech-2.6-hd',
  'speech-2.6-turbo',
  'speech-02-hd',
  'speech-02-turbo',
  'image-01',
  'abab6.5-chat',
  'abab6.5s-chat',
  'abab6-chat',
  'abab5.5-chat',
  'abab5.5s-chat',
]
