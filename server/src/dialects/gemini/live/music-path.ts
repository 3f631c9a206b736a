/** Sessions that make music instead of conversation (ai.google.dev/gemini-api/docs/realtime-music-generation). */
export const isMusicPath = (path: string): boolean => path.endsWith('.BidiGenerateMusic')
