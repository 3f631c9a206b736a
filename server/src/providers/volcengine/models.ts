/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = [
  'Doubao-pro-128k',
  'Doubao-pro-32k',
  'Doubao-pro-4k',
  'Doubao-lite-128k',
  'Doubao-lite-32k',
  'Doubao-lite-4k',
  'Doubao-embedding',
  'doubao-seedream-4-0-250828',
  'doubao-seedream-3-0-t2i-250415',
]
