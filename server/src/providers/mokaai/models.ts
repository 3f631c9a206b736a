/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = ['m3e-large', 'm3e-base', 'm3e-small']
