/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro']
