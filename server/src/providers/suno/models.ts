export const models = ['suno_music', 'suno_lyrics'] as const
