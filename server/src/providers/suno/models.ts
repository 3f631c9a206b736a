/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = ['suno_music', 'suno_lyrics']
