/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
export const models: readonly string[] = [
  'doubao-seed-2-1-pro-260915',
  'doubao-seed-2-1-lite-260915',
  'doubao-seed-2-1-turbo-260628',
  'doubao-seed-2-0-pro-260215',
  'doubao-seed-2-0-lite-260215',
  'doubao-seed-2-0-mini-260215',
  'doubao-seed-2-0-code-preview-260215',
  'doubao-seedream-4-0-250828',
  'doubao-seedream-3-0-t2i-250415',
  'Doubao-pro-128k',
  'Doubao-pro-32k',
  'Doubao-pro-4k',
  'Doubao-lite-128k',
  'Doubao-lite-32k',
  'Doubao-lite-4k',
  'Doubao-embedding',
]
