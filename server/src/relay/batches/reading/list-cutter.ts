import { isObject, type JsonObject, parsedJson } from '../../../dialects/conversation/json.ts'
import { longestLine } from './line-cutter.ts'

/** Most bytes around the list. */
const longestFrame = 4 * 1024 * 1024
const longestName = 200

const [quote, backslash, comma, colon] = [34, 92, 44, 58]
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]

/**
 * Reads a JSON object in chunks without buffering a list in it: each object of the list is handed out at its end, and the rest is parsed
 * at the end with an empty list. The list is found by the name of its member, at any depth.
 */
export class ListCutter {
  private readonly list: string
  private readonly take: (entry: string | undefined) => void
  /** Context of the current byte: around the list, in an entry, or between entries. */
  private place: 'frame' | 'entry' | 'between' = 'frame'
  private readonly kept = { frame: openBytes(longestFrame), entry: openBytes(longestLine) }
  private depth = 0
  /** Depth inside the list; 0 while outside of it. */
  private listDepth = 0
  private isInText = false
  private isEscaped = false
  private text: number[] = []
  private name = ''

  /** `take` gets each entry of the list; undefined for one that is too long. */
  constructor(list: string, take: (entry: string | undefined) => void) {
    this.list = list
    this.take = take
  }

  push(chunk: Buffer): void {
    let from = 0
    for (const [at, byte] of chunk.entries()) {
      const { place } = this
      const isOver = this.read(byte)
      if (place === this.place && !isOver) continue
      // Brackets of the list belong to the frame, brackets of an entry to the entry.
      const end = place === 'between' ? at : at + 1
      if (place !== 'between') this.kept[place].add(chunk.subarray(from, end))
      from = end
      if (isOver) this.take(this.kept.entry.take()?.toString())
    }
    if (this.place !== 'between') this.kept[this.place].add(chunk.subarray(from))
  }

  /** The object around the list; undefined where it is no JSON object, or too long. */
  end(): JsonObject | undefined {
    const frame = parsedJson(this.kept.frame.take()?.toString() ?? '')
    return isObject(frame) ? frame : undefined
  }

  /** True where the byte ends an entry of the list. */
  private read(byte: number): boolean {
    if (this.isInText) this.readText(byte)
    else if (byte === quote) {
      this.isInText = true
      this.text = []
    } else if (byte === colon) this.name = this.place === 'frame' ? Buffer.from(this.text).toString() : ''
    else if (byte === comma) this.name = ''
    else if (byte === openList || byte === openObject) this.open(byte)
    else if (byte === closeList || byte === closeObject) return this.close()
    return false
  }

  private readText(byte: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (byte === backslash) this.isEscaped = true
    else if (byte === quote) this.isInText = false
    if (this.isInText && this.place === 'frame' && this.text.length < longestName) this.text.push(byte)
  }

  private open(byte: number): void {
    this.depth += 1
    if (this.place === 'between') this.place = 'entry'
    else if (this.place === 'frame' && byte === openList && this.name === this.list) {
      this.listDepth = this.depth
      this.place = 'between'
    }
    this.name = ''
  }

  private close(): boolean {
    this.depth -= 1
    if (this.place === 'entry' && this.depth === this.listDepth) {
      this.place = 'between'
      return true
    }
    if (this.place === 'between') this.place = 'frame'
    return false
  }
}

/** Buffer up to a length; everything is dropped beyond it. */
const openBytes = (most: number) => {
  let parts: Buffer[] = []
  let size = 0
  return {
    add(piece: Buffer): void {
      size += piece.length
      if (size > most) parts = []
      // A copy: the slice would keep its larger buffer in memory.
      else if (piece.length > 0) parts.push(Buffer.from(piece))
    },
    take(): Buffer | undefined {
      const bytes = size > most ? undefined : Buffer.concat(parts)
      parts = []
      size = 0
      return bytes
    },
  }
}
