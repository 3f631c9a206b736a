/** Parts of a prompt or an answer that every price has a rate for. */
export type BaseKind =
  | 'input'
  | 'cache_read'
  | 'cache_write'
  | 'cache_write_1h'
  | 'audio_input'
  | 'output'
  | 'audio_output'

/** Parts that most models bill as a larger part: without a rate of their own they count as that one, see `parentOf`. */
export type ExtraKind =
  | 'reasoning'
  | 'explicit_cache_read'
  | 'audio_cache_read'
  | 'image_input'
  | 'image_cache_read'
  | 'video_input'
  | 'image_output'
  | 'video_output'

/** Measures other than tokens. `duration` is milliseconds of sound or video; `request` is a fee beside the tokens. */
export type MeasureKind = 'request' | 'duration' | 'characters' | 'pages' | 'queries' | 'picture'

export type TokenKind = BaseKind | ExtraKind
export type Kind = TokenKind | MeasureKind
