/** A spoken text with its start and end, in seconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
}

const two = (value: number): string => String(value).padStart(2, '0')

const clock = (seconds: number, comma: string): string => {
  const all = Math.max(0, Math.round(seconds * 1000))
  const whole = Math.floor(all / 1000)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(two)
  return `${parts.join(':')}${comma}${String(all % 1000).padStart(3, '0')}`
}

/** Writes subtitles as WebVTT (www.w3.org/TR/webvtt1) or SubRip. */
export const subtitles = (cues: readonly Cue[], format: 'vtt' | 'srt'): string => {
  const comma = format === 'vtt' ? '.' : ','
  const blocks = cues.map(({ start, end, text }, index) => {
    const number = format === 'srt' ? `${index + 1}\n` : ''
    return `${number}${clock(start, comma)} --> ${clock(end, comma)}\n${text.trim()}\n\n`
  })
  return `${format === 'vtt' ? 'WEBVTT\n\n' : ''}${blocks.join('')}`
}

const seconds = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** Reads the cues of a WebVTT file. Skips malformed cues. */
export const cuesIn = (vtt: string): readonly Cue[] =>
  vtt.split(/\r?\n\r?\n/).flatMap((block) => {
    const [, start, end, text] = /^(?:.*\n)?([\d:.]+)\s+-->\s+([\d:.]+)[^\n]*\n([\s\S]*)$/.exec(block.trim()) ?? []
    if (start === undefined || end === undefined || text === undefined) return []
    return [{ start: seconds(start), end: seconds(end), text: text.trim() }]
  })
