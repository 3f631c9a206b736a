import type { Disk } from './disk.ts'
import { type JournalLine, parseLine } from './lines.ts'

export interface SegmentText {
  readonly lines: readonly JournalLine[]
  /** Numbers, from 1, of lines in the middle that are not lines of a journal. */
  readonly damaged: readonly number[]
  /** Bytes of the last write where a crash cut it short; 0 for none. */
  readonly tornBytes: number
}

/**
 * Reads a segment. What follows the last line break is the write that a crash cut short, and so is an unreadable last
 * line: its request had not been answered, so it is left out and is no damage.
 */
export const readSegment = async (disk: Disk, path: string): Promise<SegmentText> => {
  const texts = (await disk.read(path)).split('\n')
  const rest = texts.pop() ?? ''
  const lines: JournalLine[] = []
  const damaged: number[] = []
  let tornBytes = Buffer.byteLength(rest)
  texts.forEach((text, index) => {
    if (text.trim() === '') return
    const line = parseLine(text)
    if (line !== undefined) lines.push(line)
    else if (index < texts.length - 1) damaged.push(index + 1)
    else tornBytes += Buffer.byteLength(text) + 1
  })
  return { lines, damaged, tornBytes }
}
