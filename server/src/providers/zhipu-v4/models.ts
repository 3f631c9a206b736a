/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = [
  'glm-4',
  'glm-4v',
  'glm-3-turbo',
  'glm-4-alltools',
  'glm-4-plus',
  'glm-4-0520',
  'glm-4-air',
  'glm-4-airx',
  'glm-4-long',
  'glm-4-flash',
  'glm-4v-plus',
  'cogview-4',
  'cogview-4-250304',
  'cogview-3-flash',
  'glm-image',
]
