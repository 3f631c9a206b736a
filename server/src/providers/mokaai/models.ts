/** Names offered when a channel of this type is made. */
export const models: readonly string[] = ['m3e-large', 'm3e-base', 'm3e-small']
