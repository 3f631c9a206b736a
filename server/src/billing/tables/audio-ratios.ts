/** Ratio of an audio completion token to an audio prompt token (relay reference §8.6). */
export const audioCompletionRatio = 2

/** Ratio of an audio prompt token to a text prompt token (relay reference §8.6, server data `audio_ratio_rules`). */
export const audioRatioOf = (model: string): number => {
  if (model.includes('-realtime')) {
    if (model.endsWith('gpt-4o-realtime-preview-2024-12-17')) return 8
    return model.includes('mini') ? 16.666666666666668 : 20
  }
  if (model.includes('-audio')) {
    if (model.endsWith('gpt-4o-audio-preview-2024-12-17')) return 16
    return model.includes('mini') ? 66.66666666666667 : 40
  }
  return 20
}
