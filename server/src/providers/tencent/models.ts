/** Names offered when a channel of this type is made. */
export const models: readonly string[] = ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro']
