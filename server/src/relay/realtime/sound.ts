import { isObject } from '../../dialects/conversation/json.ts'

/** Bytes of a second of sound: 16 bits at 24 kHz, or telephone sound, as everything else is taken for. */
const pcm16 = 2 * 24_000
const telephone = 8000

/** Default format of sound until a session sets another. */
export const usualFormat = pcm16

/** Bytes per second of a format as sessions name it: `g711_ulaw`, or `{ type: "audio/pcmu" }`; undefined where none is format. */
export const formatOf = (format: unknown): number | undefined => {
  if (typeof format === 'string' && format !== '') return format === 'pcm16' ? pcm16 : telephone
  if (!isObject(format) || typeof format.type !== 'string') return undefined
  if (format.type !== 'audio/pcm') return telephone
  const { rate } = format
  return typeof rate === 'number' && rate > 0 && Number.isFinite(rate) ? 2 * rate : pcm16
}

/** How many bytes a text in base64 stands for. */
export const bytesOfBase64 = (text: unknown): number => {
  if (typeof text !== 'string') return 0
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding)
}

/** A minute of sound costs as much as it would at 0.06 for 100 in, and 0.24 for 200 out. */
const inputPerMinute = 100 / 0.06
const outputPerMinute = 200 / 0.24

const tokens = (seconds: number, perMinute: number): number => Math.trunc((seconds / 60) * perMinute)

/** Tokens of `seconds` of input sound. */
export const inputSoundTokens = (seconds: number): number => tokens(seconds, inputPerMinute)

/** Tokens of `seconds` of sound at a provider. */
export interface SoundTokens {
  input(seconds: number): number
  output(seconds: number): number
}

export const openaiSound: SoundTokens = {
  input: inputSoundTokens,
  output: (seconds) => tokens(seconds, outputPerMinute),
}
