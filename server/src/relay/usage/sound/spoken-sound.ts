/**
 * Tokens of spoken sound, and sound of spoken text, for models that are sold by the tokens of their sound and answer with sound
 * alone. OpenAI asks 0.015 dollars a minute at 12 dollars per million tokens (developers.openai.com/api/docs/pricing,
 * gpt-4o-mini-tts): 1250 tokens.
 */
const tokensPerSecond = 1250 / 60
/** UTF-8 bytes per second of speech: about 16 letters, or 5 characters of Chinese; and of slow speech. */
const bytesPerSecond = 16
const slowBytesPerSecond = 4
const pauseSeconds = 2

const tokensOfSeconds = (seconds: number): number => Math.ceil(seconds * tokensPerSecond)

/** Most tokens for the sound of a text, which are billed and held. */
export const mostSpokenTokens = (text: string): number =>
  tokensOfSeconds(Buffer.byteLength(text) / slowBytesPerSecond + pauseSeconds)

/** Tokens of the sound of a text: by its length in seconds, or estimated by the text. */
export const spokenTokens = (text: string, seconds: number | undefined): number =>
  Math.min(tokensOfSeconds(seconds ?? Buffer.byteLength(text) / bytesPerSecond), mostSpokenTokens(text))

/** OpenAI's raw sound: 16 bits, 24 kHz. */
const pcmBytesPerSecond = 48_000
const wavHeaderBytes = 44

const mpegKilobits: Readonly<Record<'first' | 'later', readonly number[]>> = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  later: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}

/** Offset of the first MP3 frame, behind an ID3 tag. */
const firstFrame = (head: Buffer): number => {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | (head.readUInt8(at) & 0x7f), 0)
  return 10 + size
}

/** Bytes per second of MP3 by its first frame; undefined without one, or with variable rate. */
const mpegBytesPerSecond = (head: Buffer): number | undefined => {
  const at = firstFrame(head)
  if (head.length < at + 4) return undefined
  const frame = head.readUInt32BE(at)
  const [version, layer, rate] = [(frame >>> 19) & 3, (frame >>> 17) & 3, (frame >>> 12) & 15]
  if (frame >>> 21 !== 0x7ff || layer !== 1) return undefined
  const kilobits = mpegKilobits[version === 3 ? 'first' : 'later'][rate]
  return kilobits === undefined || kilobits === 0 ? undefined : (kilobits * 1000) / 8
}

/** Seconds of sound by its first bytes and its size; undefined where they do not show it. */
export const secondsOf = (contentType: string, head: Buffer, bytes: number): number | undefined => {
  if (/pcm/i.test(contentType)) return bytes / pcmBytesPerSecond
  if (/wav/i.test(contentType)) {
    const rate = head.length >= wavHeaderBytes && head.toString('latin1', 8, 12) === 'WAVE' ? head.readUInt32LE(28) : 0
    return rate > 0 ? Math.max(0, bytes - wavHeaderBytes) / rate : undefined
  }
  if (!/mpeg|mp3/i.test(contentType)) return undefined
  const rate = mpegBytesPerSecond(head)
  return rate === undefined ? undefined : bytes / rate
}
