/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = [
  'qwen-turbo',
  'qwen-plus',
  'qwen-max',
  'qwen-max-longcontext',
  'text-embedding-v1',
  'qwen-image',
  'qwen-image-plus',
  'qwen-image-edit-plus',
  'wan2.6-t2i',
  'wan2.5-t2i-preview',
  'wan2.2-t2i-flash',
  'wan2.2-t2i-plus',
  'wanx2.1-t2i-turbo',
  'wanx2.1-t2i-plus',
]
