import type { Disk } from './disk.ts'
import { type Line, parseLine } from './lines.ts'

export interface SegmentText {
  readonly lines: readonly Line[]
  /** Numbers, from 1, of lines in the middle that are not lines of a journal. */
  readonly damaged: readonly number[]
}

/**
 * Reads a segment. What follows the last line break is the write that a crash cut short, and so is an unreadable last
 * line: its request had not been answered, and it is left out without complaint.
 */
export const readSegment = async (disk: Disk, path: string): Promise<SegmentText> => {
  const texts = (await disk.read(path)).split('\n')
  texts.pop()
  const lines: Line[] = []
  const damaged: number[] = []
  texts.forEach((text, index) => {
    if (text.trim() === '') return
    const line = parseLine(text)
    if (line !== undefined) lines.push(line)
    else if (index < texts.length - 1) damaged.push(index + 1)
  })
  return { lines, damaged }
}
