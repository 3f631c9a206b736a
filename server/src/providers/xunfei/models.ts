/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = [
  'SparkDesk',
  'SparkDesk-v1.1',
  'SparkDesk-v2.1',
  'SparkDesk-v3.1',
  'SparkDesk-v3.5',
  'SparkDesk-v4.0',
]
